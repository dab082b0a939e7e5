import type { Texts } from "../english/catalogue.js";
import { automodRules } from "./automod-rules.js";
import { isolated } from "./isolated.js";

/** Automatic moderation: its log, its words, and its actions. */
export const automod: Texts["serverSettings"]["automod"] = {
  title: "الإشراف التلقائي",
  explanation: "قواعد تعمل فورًا على الرسائل، حتى في غياب المشرفين.",
  builtIn: "الرسائل المزعجة والتكرار والكلمات",
  enabled: "هذه القواعد مفعَّلة",
  enabledHint: "للقواعد الخاصة أدناه مفتاح لكل منها.",
  spamEnabled: "التدخل عندما يرسل شخص رسائل كثيرة في وقت قصير",
  spamMessages: "الرسائل",
  spamSeconds: "خلال (ثوانٍ)",
  action: "الإجراء",
  duplicates: "منع الرسائل المكررة خلال 30 ثانية",
  words: "الكلمات",
  wordsEnabled: "منع الرسائل التي تحتوي هذه الكلمات",
  addWord: "الكلمة",
  add: "إضافة",
  noWords: "القائمة فارغة.",
  remove: (word) => `إزالة ${isolated(word)}`,
  minutes: "مدة الإسكات (دقائق)",
  saved: "تم الحفظ.",
  log: "السجل",
  noLog: "لم يُرصد شيء بعد.",
  actions: {
    delete: "حذف الرسالة",
    timeout: "إسكات مؤقت",
    kick: "طرد",
    ban: "حظر",
    block: "منع الرسالة",
    flag: "إبلاغ المشرفين",
  },
  rules: { spam: "رسائل مزعجة", duplicate: "تكرار", word_filter: "كلمة" },
  triggers: {
    words: "كلمات",
    regex: "أنماط",
    links: "روابط",
    invites: "دعوات إلى خوادم أخرى",
    mentions: "إشارات كثيرة",
    repetition: "رسائل مكررة",
    attachments: "ملفات",
    caps: "أحرف كبيرة",
    name: "أسماء الأعضاء",
  },
  own: automodRules,
};
