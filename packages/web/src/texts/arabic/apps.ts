import type { Texts } from "../english/catalogue.js";
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
};
