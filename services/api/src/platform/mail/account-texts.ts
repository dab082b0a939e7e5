import type { Request } from "express";
import type { PageTexts } from "../http/asking-page.js";

/** A change of how an account signs in. */
export type AccountChange =
  | "password_changed"
  | "password_reset"
  | "second_factor_on"
  | "second_factor_off"
  | "passkey_added"
  | "passkey_removed"
  | "link_added"
  | "link_removed";

/** A decision about a registration. */
interface Decision {
  readonly subject: string;
  readonly about: (username: string) => string;
}

/** A mail in one language. Lines of less than 76 characters, which no mail server folds. */
interface AccountMailTexts {
  readonly reset: { readonly subject: string; readonly about: (username: string) => string; readonly use: string };
  readonly verification: { readonly subject: string; readonly about: string; readonly use: string };
  /** With a link, for an account that waits until its address is confirmed; and the page of that link. */
  readonly confirmation: { readonly subject: string; readonly about: string; readonly use: string } & PageTexts;
  readonly approved: Decision;
  readonly declined: Decision;
  readonly token: string;
  readonly ignore: string;
  readonly change: {
    readonly subject: string;
    readonly about: (username: string) => string;
    readonly changes: Readonly<Record<AccountChange, string>>;
    readonly otherwise: string;
  };
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
    confirmation: {
      subject: "Confirm your address",
      about: "This address was given for a new account.",
      use: "It can log in once you confirm this, within seven days:",
      title: "Your address",
      question: "Is this the address of your new account?",
      confirm: "Confirm",
      done: "Your address is confirmed. You can log in now.",
    },
    approved: {
      subject: "Your registration was approved",
      about: (username) => `${username} can log in now.`,
    },
    declined: {
      subject: "Your registration was declined",
      about: (username) => `The registration of ${username} was declined.`,
    },
    token: "Token",
    ignore: "If it wasn't you, there is nothing you need to do.",
    change: {
      subject: "How you sign in was changed",
      about: (username) => `About the account ${username}:`,
      changes: {
        password_changed: "The password was changed. All other sessions have ended.",
        password_reset:
          "The password was set anew by a token. All sessions, passkeys, the second\nfactor, connections with the sign-in provider and the tokens of bots have ended.",
        second_factor_on: "The second factor was turned on.",
        second_factor_off: "The second factor was turned off.",
        passkey_added: "A passkey was added.",
        passkey_removed: "A passkey was removed.",
        link_added: "The account was connected with the sign-in provider.",
        link_removed: "The account was disconnected from the sign-in provider.",
      },
      otherwise: "If it wasn't you, set a new password at once, with a token that you are mailed.",
    },
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
    confirmation: {
      subject: "Bestätige deine Adresse",
      about: "Diese Adresse wurde für ein neues Konto angegeben.",
      use: "Es kann sich anmelden, sobald du das hier innerhalb von sieben Tagen\nbestätigst:",
      title: "Deine Adresse",
      question: "Ist das die Adresse deines neuen Kontos?",
      confirm: "Bestätigen",
      done: "Deine Adresse ist bestätigt. Du kannst dich jetzt anmelden.",
    },
    approved: {
      subject: "Deine Registrierung wurde angenommen",
      about: (username) => `${username} kann sich jetzt anmelden.`,
    },
    declined: {
      subject: "Deine Registrierung wurde abgelehnt",
      about: (username) => `Die Registrierung von ${username} wurde abgelehnt.`,
    },
    token: "Code",
    ignore: "Wenn du das nicht warst, brauchst du nichts zu tun.",
    change: {
      subject: "Deine Anmeldung wurde geändert",
      about: (username) => `Zum Konto ${username}:`,
      changes: {
        password_changed: "Das Passwort wurde geändert. Alle anderen Sitzungen sind beendet.",
        password_reset:
          "Das Passwort wurde mit einem Code neu festgelegt. Alle Sitzungen, Passkeys,\nder zweite Faktor, Verbindungen mit dem Anmeldedienst und die Token\nvon Bots sind beendet.",
        second_factor_on: "Der zweite Faktor wurde eingeschaltet.",
        second_factor_off: "Der zweite Faktor wurde ausgeschaltet.",
        passkey_added: "Ein Passkey wurde hinzugefügt.",
        passkey_removed: "Ein Passkey wurde entfernt.",
        link_added: "Das Konto wurde mit dem Anmeldedienst verbunden.",
        link_removed: "Das Konto wurde vom Anmeldedienst getrennt.",
      },
      otherwise: "Wenn du das nicht warst, lege sofort mit einem Code aus einer Mail ein\nneues Passwort fest.",
    },
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
    confirmation: {
      subject: "تأكيد عنوانك",
      about: "أُدخل هذا العنوان لحساب جديد.",
      use: "يمكنه تسجيل الدخول بعد أن تؤكد ذلك هنا خلال سبعة أيام:",
      title: "عنوانك",
      question: "هل هذا عنوان حسابك الجديد؟",
      confirm: "تأكيد",
      done: "تأكّد عنوانك. يمكنك تسجيل الدخول الآن.",
    },
    approved: {
      subject: "قُبل تسجيلك",
      about: (username) => `يمكن للحساب ${username} تسجيل الدخول الآن.`,
    },
    declined: {
      subject: "رُفض تسجيلك",
      about: (username) => `رُفض تسجيل الحساب ${username}.`,
    },
    token: "الرمز",
    ignore: "إن لم تكن أنت من طلب ذلك فلا داعي لفعل أي شيء.",
    change: {
      subject: "تغيّرت طريقة تسجيل دخولك",
      about: (username) => `بخصوص الحساب \u2068${username}\u2069:`,
      changes: {
        password_changed: "غُيّرت كلمة المرور، وانتهت جميع الجلسات الأخرى.",
        password_reset:
          "عُيّنت كلمة مرور جديدة برمز. انتهت جميع الجلسات ومفاتيح المرور\nوالعامل الثاني والربط مع مزوّد تسجيل الدخول ورموز الروبوتات.",
        second_factor_on: "فُعّل العامل الثاني.",
        second_factor_off: "عُطّل العامل الثاني.",
        passkey_added: "أُضيف مفتاح مرور.",
        passkey_removed: "أُزيل مفتاح مرور.",
        link_added: "رُبط الحساب بمزوّد تسجيل الدخول.",
        link_removed: "أُلغي ربط الحساب بمزوّد تسجيل الدخول.",
      },
      otherwise: "إن لم تكن أنت من فعل ذلك فعيّن كلمة مرور جديدة فورًا برمز يصلك بالبريد.",
    },
  },
} as const satisfies Record<string, AccountMailTexts>;

/** The code of a language that there are mails in. */
export type MailLanguage = keyof typeof accountMailTexts;
export const mailLanguages = Object.keys(accountMailTexts) as [MailLanguage, ...MailLanguage[]];

/** The language of a request's mails: the one that its `Accept-Language` prefers among those, or English. */
export function mailLanguageOf(request: Request): MailLanguage {
  const preferred = request.acceptsLanguages("en", "de", "ar");
  return preferred === "de" || preferred === "ar" ? preferred : "en";
}
