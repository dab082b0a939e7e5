import type { Texts } from "../english/catalogue.js";

/** Newcomers, raids, and the rules that members accept. */
export const safety: Texts["serverSettings"]["safety"] = {
  title: "الأعضاء الجدد والهجمات",
  explanation: "ما يشترطه هذا الخادم على الأعضاء الجدد، وما يفعله حين يأتي كثيرون دفعة واحدة.",
  newcomers: "الأعضاء الجدد",
  newcomersHint: "من لا يستوفي الشروط يقرأ ولا يكتب ولا يتفاعل ولا يتحدث. يُستثنى المشرفون والبوتات.",
  min_account_age_minutes: "عمر الحساب (بالدقائق)",
  min_membership_minutes: "المدة منذ الانضمام (بالدقائق)",
  require_verified_email: "بريد إلكتروني مؤكد",
  rulesTitle: "القواعد",
  rulesHint: "يقبلها الأعضاء قبل أن يكتبوا. اتركها فارغة إن لم تكن هناك قواعد.",
  rules: "نص القواعد",
  rules_for_all: "طلبها أيضًا ممن انضموا سابقًا، ومن الجميع مجددًا بعد كل تغيير",
  shield: "الحماية من الهجمات",
  shieldHint:
    "حين ينضم في دقيقة واحدة من الحسابات الجديدة أكثر مما تسمح به، لا يدخل المزيد منها، ولا يستطيع من جاء للتو الكتابة. لا يلاحظ الآخرون شيئًا.",
  raid_shield: "مفعّلة",
  raid_joins_per_minute: "انضمام الحسابات الجديدة في الدقيقة",
  raid_new_accounts_hours: "يُعدّ الحساب جديدًا (بالساعات)",
  raid_minutes: "يبقى مغلقًا (بالدقائق)",
  ownerOnly: "المالك وحده يغيّر هذه الإعدادات.",
  saved: "حُفظ.",
  raid: "هجوم",
  raidHint: "يمكنك أيضًا إغلاق الخادم أمام الحسابات الجديدة بنفسك.",
  noRaid: "ليس الخادم تحت هجوم.",
  underRaid: (time) => `الخادم تحت هجوم حتى ${time}.`,
  joined: (count) => `عدد الحسابات التي انضمت خلال آخر هجوم: ${count}`,
  minutes: "المدة (بالدقائق)",
  begin: "إغلاق أمام الحسابات الجديدة",
  end: "إنهاء الهجوم",
  banJoined: "حظر من انضموا",
  banTitle: (count) => `حظر الحسابات التي انضمت؟ عددها: ${count}`,
  banExplanation: "يُحظر كل من انضم من دقيقة قبل الهجوم حتى نهايته، بما في ذلك الحسابات الأقدم ومن غادر منهم.",
  bannedJoined: (banned, failed) =>
    failed === 0 ? `عدد المحظورين: ${banned}` : `عدد المحظورين: ${banned}، وتعذّر حظر: ${failed}`,
};
