import type { Texts } from "../english/catalogue.js";
import { countedNoun } from "./counted.js";
import { isolated } from "./isolated.js";

/** Texts of the search and the quick switcher. */
export const search: Texts["search"] = {
  title: "البحث",
  query: "البحث عن",
  channel: "القناة",
  everywhere: "كل القنوات",
  found: (total) => countedNoun(total, "message"),
  none: "لا رسائل مطابقة. جرّب كلمات أقل أو غيرها.",
  hint: "حرفان على الأقل. يعثر على الرسائل التي تحتوي الكلمات كلها.",
  more: "مزيد من النتائج",
  author: "حساب محذوف",
  in: (channel, time) => `${isolated(`#${channel}`)} · ${time}`,
  switcher: "الانتقال إلى",
  switcherHint: "ابحث عن قناة أو خادم أو شخص",
  switcherNone: "لا شيء بهذا الاسم.",
  notification: (author, channel) => `${isolated(author)} في ${isolated(`#${channel}`)}`,
};
