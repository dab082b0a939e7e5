import type { Texts } from "../english/catalogue.js";

/** الإشعارات. */
export const notifications: Texts["notifications"] = {
  title: "الإشعارات",
  explanation: "هي نفسها على جميع أجهزتك. للخوادم والقنوات والمواضيع إعداداتها في قوائمها.",
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
};
