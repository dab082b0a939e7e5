import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";

/** Threads, and the list of them. */
export const threads: Texts["threads"] = {
  title: "سلاسل الردود",
  titleUnread: (count) =>
    counted(count, {
      zero: "سلاسل الردود",
      one: "سلاسل الردود، واحدة غير مقروءة",
      two: "سلاسل الردود، اثنتان غير مقروءتين",
      few: "سلاسل الردود، # غير مقروءة",
      many: "سلاسل الردود، # غير مقروءة",
      other: "سلاسل الردود، # غير مقروءة",
    }),
  show: "أي السلاسل",
  shows: { active: "نشطة", closed: "مغلقة", followed: "متابَعة" },
  serverWide: "في الخادم كله",
  none: {
    active: "لا سلاسل بعد. رُدّ في سلسلة لبدء واحدة.",
    closed: "لا سلاسل مغلقة.",
    followed: "لا تتابع أي سلسلة هنا.",
  },
  more: "سلاسل أقدم",
  actions: "إجراءات السلسلة",
  rename: "تغيير العنوان",
  titleLabel: "العنوان",
  titleHint: "يراه كل من يرى القناة. اتركه فارغًا لإزالته.",
  close: "إغلاق السلسلة",
  reopen: "إعادة فتح السلسلة",
  isClosed: "مغلقة",
  closed: "هذه السلسلة مغلقة. يمكنك قراءتها دون الرد.",
  closedForYou: "هذه السلسلة مغلقة. ما زال بإمكان المشرفين الرد.",
};
