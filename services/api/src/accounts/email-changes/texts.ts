import type { MailLanguage } from "../../platform/mail/account-texts.js";
import type { EmailChangeKind } from "./repository.js";

/** The mail with a link and the page that the link opens. Lines of mails have less than 76 characters. */
interface ChangeTexts {
  readonly subject: string;
  readonly about: (username: string) => string;
  readonly use: string;
  readonly title: string;
  readonly question: string;
  readonly confirm: string;
  readonly done: string;
}

/** The mails and pages about another address of an account, by the code of their language. */
export const emailChangeTexts: Record<MailLanguage, Record<EmailChangeKind, ChangeTexts>> = {
  en: {
    confirm: {
      subject: "Confirm your new address",
      about: (username) => `This address was given for the account ${username}.`,
      use: "It counts once this page is opened, within a day:",
      title: "Your new address",
      question: "Is this address to be that of your account?",
      confirm: "Use this address",
      done: "This is the address of your account now.",
    },
    revert: {
      subject: "The address of your account changes",
      about: (username) => `Another address was given for the account ${username}.`,
      use: "If it wasn't you, take this address back, within seven days:",
      title: "Your former address",
      question: "Is your account to have its former address again?",
      confirm: "Take the address back",
      done: "Your account has its former address again. Set a new password if it wasn't you who changed it.",
    },
  },
  de: {
    confirm: {
      subject: "Bestätige deine neue Adresse",
      about: (username) => `Diese Adresse wurde für das Konto ${username} angegeben.`,
      use: "Sie gilt, sobald diese Seite geöffnet wird, einen Tag lang:",
      title: "Deine neue Adresse",
      question: "Soll dein Konto diese Adresse haben?",
      confirm: "Diese Adresse verwenden",
      done: "Dein Konto hat jetzt diese Adresse.",
    },
    revert: {
      subject: "Die Adresse deines Kontos ändert sich",
      about: (username) => `Für das Konto ${username} wurde eine andere Adresse angegeben.`,
      use: "Wenn du das nicht warst, hol diese Adresse zurück, sieben Tage lang:",
      title: "Deine frühere Adresse",
      question: "Soll dein Konto seine frühere Adresse wieder haben?",
      confirm: "Adresse zurückholen",
      done: "Dein Konto hat seine frühere Adresse wieder. Lege ein neues Passwort fest, wenn du sie nicht geändert hast.",
    },
  },
  ar: {
    confirm: {
      subject: "تأكيد عنوانك الجديد",
      about: (username) => `أُدخل هذا العنوان للحساب \u2068${username}\u2069.`,
      use: "يُعتمد العنوان عند فتح هذه الصفحة خلال يوم:",
      title: "عنوانك الجديد",
      question: "هل تريد أن يكون هذا عنوان حسابك؟",
      confirm: "استخدام هذا العنوان",
      done: "هذا هو عنوان حسابك الآن.",
    },
    revert: {
      subject: "تغيير عنوان حسابك",
      about: (username) => `أُدخل عنوان آخر للحساب \u2068${username}\u2069.`,
      use: "إن لم تكن أنت من فعل ذلك فاسترجع هذا العنوان خلال سبعة أيام:",
      title: "عنوانك السابق",
      question: "هل تريد استرجاع العنوان السابق لحسابك؟",
      confirm: "استرجاع العنوان",
      done: "عاد العنوان السابق إلى حسابك. عيّن كلمة مرور جديدة إن لم تكن أنت من غيّره.",
    },
  },
};
