import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";
import { isolated } from "./isolated.js";

/** الأصدقاء وطلبات الصداقة والمحجوبون. */
export const people: Texts["people"] = {
  title: "الأصدقاء",
  explanation: "يمكنك أيضًا طلب صداقة شخص أو حجبه من ملفه الشخصي.",
  add: "إضافة صديق بالاسم",
  addHint: "أشخاص من خوادمك ومحادثاتك.",
  requests: (count) =>
    counted(count, {
      zero: "لا طلبات",
      one: "طلب واحد",
      two: "طلبان",
      few: "# طلبات",
      many: "# طلبًا",
      other: "# طلب",
    }),
  incoming: "طلبات واردة إليك",
  outgoing: "طلباتك",
  friends: "أصدقاؤك",
  noFriends: "ليس لديك أصدقاء هنا بعد.",
  blocked: "المحجوبون",
  ask: "إضافة صديق",
  accept: "قبول",
  refuse: "رفض",
  takeBack: "سحب الطلب",
  end: "إنهاء الصداقة",
  block: "حجب",
  unblock: "إلغاء الحجب",
  acceptOf: (name) => `قبول طلب ${isolated(name)}`,
  refuseOf: (name) => `رفض طلب ${isolated(name)}`,
  takeBackOf: (name) => `سحب الطلب المرسل إلى ${isolated(name)}`,
  unblockOf: (name) => `إلغاء حجب ${isolated(name)}`,
  messageTo: (name) => `مراسلة ${isolated(name)}`,
  asked: (name) => `طلبت صداقة ${isolated(name)}.`,
  nowBlocked: (name) => `حجبت ${isolated(name)}. لا يستطيع أيٌّ منكما مراسلة الآخر، ورسائله مطوية.`,
  folded: "رسالة من شخص حجبته.",
  show: "عرض",
  blockedHere: (name) => `لقد حجبت ${isolated(name)}. ألغِ الحجب أولًا لتتراسلا.`,
  privacy: {
    title: "الخصوصية",
    explanation: "من يستطيع بدء محادثة معك أو متابعتها. الأصدقاء يستطيعون دائمًا.",
    dmsFrom: "من يمكنه مراسلتك",
    from: { everyone: "الجميع", servers: "الأصدقاء ومن في خوادمك", friends: "الأصدقاء فقط" },
  },
};
