import type { Texts } from "../english/catalogue.js";
import { counted } from "./counted.js";
import { isolated } from "./isolated.js";

/** البوتات: ما تعرضه وما تجيب به. */
export const apps: Texts["apps"] = {
  embed: "محتوى مضمَّن",
  webhook: "Webhook",
  choose: {
    text: "اختر",
    user: "اختر مستخدمًا",
    role: "اختر دورًا",
    channel: "اختر قناة",
  },
  app: "التطبيق",
  waiting: (name) => `يُسأل ${isolated(name)} …`,
  thinking: (name) => `${isolated(name)} يفكّر …`,
  noAnswer: (name) => `لم يُجب ${isolated(name)}.`,
  dismiss: "إخفاء",
  onlyYou: "لا يراها أحد سواك",
  optional: (label) => `${isolated(label)} (اختياري)`,
  submit: "إرسال",
  modalOf: (name) => `ما تكتبه هنا يصل إلى ${isolated(name)}.`,
  faults: {
    required: "هذا الحقل مطلوب.",
    length: (min, max) => (min === 0 ? `عدد الأحرف: ${max} على الأكثر.` : `عدد الأحرف: من ${min} إلى ${max}.`),
    choice: "اختر من القائمة.",
    integer: "يُرجى إدخال عدد صحيح.",
    number: "يُرجى إدخال عدد.",
    least: (min) => `${min} أو أكثر.`,
    most: (max) => `${max} أو أقل.`,
  },
  yes: "نعم",
  no: "لا",
  entry: "التطبيقات",
  entryOf: (command, bot) => `${isolated(command)} – ${isolated(bot)}`,
  add: {
    page: "إضافة بوت",
    title: (name) => `إضافة ${isolated(name)} إلى خادم`,
    commands: (count) =>
      counted(count, {
        zero: "بلا أوامر",
        one: "أمر واحد",
        two: "أمران",
        few: "# أوامر",
        many: "# أمرًا",
        other: "# أمر",
      }),
    servers: (count) =>
      counted(count, {
        zero: "ليس في أي خادم",
        one: "في خادم واحد",
        two: "في خادمين",
        few: "في # خوادم",
        many: "في # خادمًا",
        other: "في # خادم",
      }),
    server: "الخادم",
    serverHint: "الخوادم التي يحق لك تغيير إعداداتها.",
    noServers: "لا يوجد خادم يحق لك إضافة بوتات إليه.",
    permissionsHint: "يطلب هذه الصلاحيات، ويحصل عليها بدور خاص به. يمكنك استبعاد بعضها.",
    noPermissions: "لا يطلب أي صلاحيات.",
    add: "إضافة",
    added: (name) => `أُضيف ${isolated(name)}.`,
    goneTitle: "لا يوجد بوت كهذا",
    gone: "هذا البوت غير موجود، أو لا يستطيع إضافته إلا من أنشأه.",
    failedTitle: "تعذّر عرض البوت",
  },
  send: "أرسل الاختيار",
  between: (min, max) => (min === max ? `العدد المطلوب: ${min}.` : `العدد المطلوب: من ${min} إلى ${max}.`),
  removeChosen: (name) => `إزالة ${isolated(name)}`,
  askedBy: (name) => `طلب ذلك ${isolated(name)}`,
};
