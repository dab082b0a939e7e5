import type { Request } from "express";

/** A mail in one language. Lines of less than 76 characters, which no mail server folds. */
interface AccountMailTexts {
  readonly reset: { readonly subject: string; readonly about: (username: string) => string; readonly use: string };
  readonly verification: { readonly subject: string; readonly about: string; readonly use: string };
  readonly token: string;
  readonly ignore: string;
}

/** The mails about accounts, by the code of their language. */
export const accountMailTexts = {
  en: {
    reset: {
      subject: "Set a new password",
      about: (username) => `Someone asked to set a new password for ${username}.`,
      use: "It sets the password once, within an hour.",
    },
    verification: {
      subject: "Verify your address",
      about: "This address was given for an account.",
      use: "It verifies the address once, within a day.",
    },
    token: "Token",
    ignore: "If it wasn't you, there is nothing you need to do.",
  },
  de: {
    reset: {
      subject: "Neues Passwort festlegen",
      about: (username) => `Jemand möchte ein neues Passwort für ${username} festlegen.`,
      use: "Damit lässt sich das Passwort einmal festlegen, eine Stunde lang.",
    },
    verification: {
      subject: "Bestätige deine Adresse",
      about: "Diese Adresse wurde für ein Konto angegeben.",
      use: "Damit lässt sich die Adresse einmal bestätigen, einen Tag lang.",
    },
    token: "Code",
    ignore: "Wenn du das nicht warst, brauchst du nichts zu tun.",
  },
  ar: {
    reset: {
      subject: "تعيين كلمة مرور جديدة",
      // The name is isolated, so that its letters do not change the order of the words around it.
      about: (username) => `طلب شخص ما تعيين كلمة مرور جديدة للحساب \u2068${username}\u2069.`,
      use: "يصلح لتعيين كلمة المرور مرة واحدة خلال ساعة.",
    },
    verification: {
      subject: "تأكيد عنوانك",
      about: "أُدخل هذا العنوان لحساب.",
      use: "يصلح لتأكيد العنوان مرة واحدة خلال يوم.",
    },
    token: "الرمز",
    ignore: "إن لم تكن أنت من طلب ذلك فلا داعي لفعل أي شيء.",
  },
} as const satisfies Record<string, AccountMailTexts>;

/** The code of a language that there are mails in. */
export type MailLanguage = keyof typeof accountMailTexts;

/** The language of a request's mails: the one that its `Accept-Language` prefers among those, or English. */
export function mailLanguageOf(request: Request): MailLanguage {
  const preferred = request.acceptsLanguages("en", "de", "ar");
  return preferred === "de" || preferred === "ar" ? preferred : "en";
}
