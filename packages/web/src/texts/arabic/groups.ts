import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";
import { isolated } from "./isolated.js";

const persons = (count: number) =>
  counted(count, {
    zero: "لا أحد",
    one: "شخص واحد",
    two: "شخصان",
    few: "# أشخاص",
    many: "# شخصًا",
    other: "# شخص",
  });

/** محادثات بين عدة أشخاص. */
export const groups: Texts["groups"] = {
  create: "مجموعة جديدة",
  name: "اسم المجموعة",
  nameHint: "يمكنك ترك الحقل فارغًا، فتُسمّى المجموعة بأسماء من فيها.",
  find: "البحث عن أشخاص",
  findHint: "أصدقاؤك، ومن تراسلهم، ومن معك في خوادمك.",
  people: "أشخاص للاختيار",
  chosen: (count, max) => `المختارون: ${persons(count)}، والحد الأقصى ${max}.`,
  nobody: "لم يُعثر على أحد.",
  start: "ابدأ المجموعة",
  count: persons,
  open: "أشخاص المجموعة وإعداداتها",
  title: "مجموعة",
  members: "في هذه المجموعة",
  owner: "المالك",
  you: (name) => `${isolated(name)} (أنت)`,
  add: "إضافة أشخاص",
  full: "في المجموعة عشرة أشخاص، ولا تتسع لأكثر.",
  remove: (name) => `إزالة ${isolated(name)} من المجموعة`,
  removeShort: "إزالة",
  saved: "تم تغيير الاسم.",
  leave: "مغادرة المجموعة",
  leaveTitle: (name) => `مغادرة ${isolated(name)}؟`,
  leaveExplanation: "لن تستطيع قراءتها بعد ذلك. يستطيع من فيها إضافتك من جديد. آخر من يغادر يحذفها.",
  alone: "أنت وحدك",
};
