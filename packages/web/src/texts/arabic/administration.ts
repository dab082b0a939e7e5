import type { Texts } from "../english/catalogue.js";
import { counted, countedNoun } from "./counted.js";
import { isolated } from "./isolated.js";

/** Texts of the administration of the instance. */
export const administration: Texts["administration"] = {
  title: "الإدارة",
  statistics: {
    title: "الإحصاءات",
    explanation: "حجم Parley هنا وكيف يعمل.",
    total_users: "الحسابات",
    total_servers: "الخوادم",
    total_channels: "القنوات",
    total_messages: "الرسائل",
    active_ws_connections: "الاتصالات المفتوحة",
    storage: "الملفات",
    latency: "زمن استجابة قاعدة البيانات",
    uptime: "مدة التشغيل",
  },
  users: {
    title: "الحسابات",
    explanation: "كل الحسابات هنا.",
    search: "البحث بالاسم",
    sort: "الترتيب حسب",
    byCreation: "الأحدث أولًا",
    byName: "الاسم",
    byMessages: "الأكثر رسائل",
    found: (total) =>
      counted(total, {
        zero: "لا حسابات",
        one: "حساب واحد",
        two: "حسابان",
        few: "# حسابات",
        many: "# حسابًا",
        other: "# حساب",
      }),
    detail: (servers, messages, since) =>
      `${countedNoun(servers, "server")}، ${countedNoun(messages, "message")}، مسجَّل منذ ${since}`,
    own: "أنت",
    administrator: "مدير",
    disabled: "معطَّل",
    promote: "تعيين مديرًا",
    promoteTitle: (name) => `تعيين ${isolated(name)} مديرًا؟`,
    promoteExplanation: "يستطيع المديرون رؤية جميع الحسابات والخوادم هنا وتعطيلها وحذفها، ويقررون من يمكنه التسجيل.",
    demote: "إلغاء صلاحية المدير",
    demoteTitle: (name) => `إلغاء صلاحية المدير عن ${isolated(name)}؟`,
    demoteExplanation: "يبقى الحساب كما هو، لكنه يفقد الوصول إلى الإدارة.",
    disable: "تعطيل",
    disableTitle: (name) => `تعطيل ${isolated(name)}؟`,
    disableExplanation: "تنتهي جميع جلساته فورًا، ولا يستطيع أحد تسجيل الدخول به حتى تعيد تفعيله.",
    enable: "إعادة التفعيل",
    delete: "حذف",
    deleteTitle: (name) => `حذف ${isolated(name)}؟`,
    deleteExplanation:
      "تبقى رسائله من دون اسم. يجب حذف الخوادم التي يملكها أو نقل ملكيتها أولًا. لا يمكن التراجع عن ذلك.",
    reset: "إنشاء رمز إعادة تعيين",
    resetToken: "رمز إعادة التعيين",
    resetTitle: (name) => `كلمة مرور جديدة لـ ${isolated(name)}`,
    resetHint:
      "من يملك هذا الرمز يستطيع تعيين كلمة مرور جديدة للحساب عبر «هل نسيت كلمة المرور؟». يصلح مرة واحدة خلال ساعة.",
  },
  servers: {
    title: "الخوادم",
    explanation: "كل الخوادم هنا، العامة وغيرها.",
    search: "البحث بالاسم",
    found: (total) => countedNoun(total, "server"),
    detail: (owner, members, messages) =>
      `المالك ${isolated(owner)}، ${countedNoun(members, "member")}، ${countedNoun(messages, "message")}`,
    public: "عام",
    delete: "حذف",
    deleteTitle: (name) => `حذف ${isolated(name)}؟`,
    deleteExplanation: "تُحذف جميع قنواته ورسائله وملفاته. لا يمكن التراجع عن ذلك.",
  },
  registration: {
    title: "التسجيل",
    explanation: "من يمكنه إنشاء حساب.",
    mode: "من يمكنه التسجيل",
    open: "الجميع",
    invite_only: "أصحاب رموز الدعوة فقط",
    closed: "لا أحد",
    saved: "تم الحفظ.",
  },
  log: "السجل",
  logExplanation: "ما غيّره المديرون، الأحدث أولًا.",
  pages: {
    previous: "الصفحة السابقة",
    next: "الصفحة التالية",
    position: (page, of) => `الصفحة ${page} من ${of}`,
  },
  nothing: "لا نتائج.",
};
