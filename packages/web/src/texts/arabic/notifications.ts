import type { Texts } from "../english/catalogue.js";

/** الإشعارات. */
export const notifications: Texts["notifications"] = {
  title: "الإشعارات",
  explanation: "هي نفسها على جميع أجهزتك. للخوادم والقنوات والمواضيع إعداداتها في قوائمها.",
  actions: { reply: "رد", placeholder: "ردّك", markRead: "وضع علامة مقروء" },
  levels: { all: "كل الرسائل", mentions: "الإشارات فقط", nothing: "لا شيء" },
  asDefault: "كما في حسابي",
  asServer: "كما في الخادم",
  asChannel: "كما في القناة",
  suppressEveryone: "تجاهل ‎@everyone",
  muteFor: (duration) => `كتم لمدة ${duration}`,
  muteForever: "كتم حتى ألغيه",
  unmute: "إلغاء الكتم",
  muted: "مكتوم",
  defaultLevel: "ما أُشعَر به",
  defaultLevelHint: "في الخوادم والقنوات التي لم يُضبط لها شيء آخر. تُشعَر بكل الرسائل المباشرة.",
  quiet: "ساعات الهدوء",
  quietHint: "وقت من اليوم لا تُشعَر فيه بشيء.",
  quietIn: (timezone) => `بتوقيت ${timezone}.`,
  quietFrom: "من",
  quietTo: "إلى",
  mail: "رسائل البريد",
  mails: { off: "بلا رسائل", mentions: "عندما يفوتني شيء", daily: "كل يوم في الثامنة" },
  mailHints: {
    off: "لا تصلك رسائل بريد عن الرسائل.",
    mentions: "بعد ربع ساعة من إشارة أو رسالة مباشرة لم تقرأها، ومرة واحدة في الساعة على الأكثر.",
  },
  mailDailyIn: (timezone) => `الإشارات والرسائل المباشرة وأكثر ما أعجب الآخرين، بتوقيت ${timezone}.`,
  mailUnverified: "لتلقي رسائل البريد، أكّد أولًا عنوان بريدك في ملفك الشخصي.",
  mailWithoutAddress: "لتلقي رسائل البريد يحتاج الحساب إلى عنوان بريد.",
};
