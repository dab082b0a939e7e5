import type { MailLanguage } from "../../platform/mail/account-texts.js";

/**
 * The texts of mails about missed messages in one language. Numbers follow a colon, so that no word has to agree with
 * them.
 */
interface NotificationMailTexts {
  readonly direction: "ltr" | "rtl";
  readonly missed: string;
  readonly daily: string;
  readonly mentions: string;
  readonly direct: string;
  readonly reminders: string;
  readonly reacted: string;
  readonly reactions: (count: number) => string;
  readonly messages: (count: number) => string;
  readonly more: (count: number) => string;
  readonly noText: string;
  readonly deletedAccount: string;
  readonly why: string;
  readonly unsubscribe: string;
  readonly page: {
    readonly title: string;
    readonly question: string;
    readonly confirm: string;
    readonly done: string;
  };
}

/** The mails about missed messages, by the code of their language. */
export const notificationMailTexts = {
  en: {
    direction: "ltr",
    missed: "You missed",
    daily: "Your day",
    mentions: "Mentions",
    direct: "Direct messages",
    reminders: "Reminders",
    reacted: "Most reactions",
    reactions: (count) => `reactions: ${count}`,
    messages: (count) => `messages: ${count}`,
    more: (count) => `and ${count} more`,
    noText: "(no text)",
    deletedAccount: "deleted account",
    why: "You get this mail because your account's notifications ask for it.",
    unsubscribe: "Get no more of these mails",
    page: {
      title: "Mails about missed messages",
      question: "Do you want no more mails about what you missed?",
      confirm: "Get no more mails",
      done: "You get no more mails about what you missed. Your account's notifications can turn them on again.",
    },
  },
  de: {
    direction: "ltr",
    missed: "Verpasst",
    daily: "Dein Tag",
    mentions: "Erwähnungen",
    direct: "Direktnachrichten",
    reminders: "Erinnerungen",
    reacted: "Meiste Reaktionen",
    reactions: (count) => `Reaktionen: ${count}`,
    messages: (count) => `Nachrichten: ${count}`,
    more: (count) => `und ${count} weitere`,
    noText: "(kein Text)",
    deletedAccount: "gelöschtes Konto",
    why: "Du bekommst diese E-Mail, weil es in deinem Konto so eingestellt ist.",
    unsubscribe: "Keine solchen E-Mails mehr bekommen",
    page: {
      title: "E-Mails über verpasste Nachrichten",
      question: "Möchtest du keine E-Mails mehr über Verpasstes bekommen?",
      confirm: "Keine E-Mails mehr",
      done: "Du bekommst keine E-Mails mehr über Verpasstes. In deinem Konto lassen sie sich wieder einschalten.",
    },
  },
  ar: {
    direction: "rtl",
    missed: "فاتك",
    daily: "يومك",
    mentions: "الإشارات",
    direct: "الرسائل المباشرة",
    reminders: "التذكيرات",
    reacted: "الأكثر تفاعلًا",
    reactions: (count) => `التفاعلات: ${count}`,
    messages: (count) => `الرسائل: ${count}`,
    more: (count) => `وأيضًا: ${count}`,
    noText: "(بلا نص)",
    deletedAccount: "حساب محذوف",
    why: "تصلك هذه الرسالة لأن إشعارات حسابك تطلبها.",
    unsubscribe: "إيقاف هذه الرسائل",
    page: {
      title: "رسائل البريد عمّا فاتك",
      question: "هل تريد إيقاف رسائل البريد عمّا فاتك؟",
      confirm: "إيقاف الرسائل",
      done: "لن تصلك بعد الآن رسائل بريد عمّا فاتك. يمكنك تشغيلها مجددًا من إشعارات حسابك.",
    },
  },
} as const satisfies Record<MailLanguage, NotificationMailTexts>;
