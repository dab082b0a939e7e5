import type { Texts } from "../english/catalogue.js";
import { number } from "./counted.js";

/** أرقام الخادم. */
export const figures: Texts["figures"] = {
  title: "الأرقام",
  explanation: "ما حدث هنا يومًا بيوم. عمرها ساعة على الأكثر، ولا يسمّي أي رقم منها عضوًا.",
  span: "الأيام",
  plots: { members: "الأعضاء", coming: "الانضمام والمغادرة", activity: "النشاط", messages: "الرسائل" },
  measures: {
    members: "الأعضاء",
    joins: "انضموا",
    leaves: "غادروا",
    active_members: "نشطون",
    writers: "كتبوا",
    messages: "الرسائل",
  },
  atMost: (count) => `حتى ${count} في اليوم`,
  table: "كل الأرقام في جدول",
  day: "اليوم",
  channels: "القنوات",
  noChannels: "لم يُكتب شيء في هذه الأيام.",
  unknownChannel: "قناة محذوفة",
  messagesOf: (count) => `عدد الرسائل: ${number(count)}`,
  writersOf: (count) => `عدد من كتبوا: ${number(count)}`,
  invites: "الدعوات",
  noInvites: "لم ينضم أحد بدعوة في هذه الأيام.",
  joinsOf: (count) => `عدد من انضموا: ${number(count)}`,
  stillOf: (count) => `عدد من بقوا: ${number(count)}`,
  file: "لجدول بيانات",
  fileHint: "أرقام هذه الأيام بصيغة CSV.",
  download: "الحفظ بصيغة CSV",
  timeZone: "المنطقة الزمنية",
  timeZoneHint: "تبدأ الأيام عند منتصف الليل في هذه المنطقة. تحتفظ الأيام الماضية بمنطقتها.",
};
