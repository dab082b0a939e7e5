import { account } from "./arabic/account.js";
import { administration } from "./arabic/administration.js";
import { auditLog } from "./arabic/audit-log.js";
import { conversation } from "./arabic/conversation.js";
import { errors } from "./arabic/errors.js";
import { search } from "./arabic/search.js";
import { serverSettings } from "./arabic/server-settings.js";
import { shell } from "./arabic/shell.js";
import { voice } from "./arabic/voice.js";
import type { Texts } from "./catalogue.js";

/** The Arabic texts. */
export const arabic: Texts = {
  common: {
    cancel: "إلغاء",
    close: "إغلاق",
    copied: "تم النسخ",
    copy: "نسخ",
    retry: "إعادة المحاولة",
    save: "حفظ",
    loading: "جارٍ التحميل",
    unreachable: "تعذّر الوصول إلى الخادم. تحقّق من اتصالك ثم حاول مجددًا.",
    partMissing: "تعذّر تحميل هذا الجزء. ربما صدر إصدار جديد من Parley، أو أنك غير متصل بالإنترنت.",
    loadAgain: "إعادة تحميل الصفحة",
    failed: "حدث خطأ ما. حاول مجددًا.",
    goneAccount: "حساب محذوف",
  },
  account,
  administration,
  auditLog,
  errors,
  search,
  serverSettings,
  voice,
  conversation,
  shell,
  login: {
    brand: "Parley",
    title: "تسجيل الدخول إلى Parley",
    username: "اسم المستخدم",
    password: "كلمة المرور",
    code: "رمز من تطبيق المصادقة، أو رمز استرداد",
    submit: "تسجيل الدخول",
    register: "إنشاء حساب",
    instead: "لديّ حساب بالفعل",
    registerTitle: "إنشاء حساب",
    registerSubmit: "إنشاء الحساب",
    email: "البريد الإلكتروني (اختياري)",
    inviteCode: "رمز الدعوة",
    closed: "إنشاء الحسابات الجديدة متوقف هنا حاليًا.",
    usernameHint: "من 2 إلى 32 حرفًا: أحرف لاتينية وأرقام وشرطات سفلية.",
    passwordHint: "8 أحرف على الأقل.",
    forgot: "هل نسيت كلمة المرور؟",
    resetTitle: "إعادة تعيين كلمة المرور",
    resetExplanation: "أدخل بريدك الإلكتروني. إن كان مرتبطًا بحساب فسنرسل إليه رمزًا.",
    resetEmail: "البريد الإلكتروني",
    resetSend: "إرسال الرمز",
    resetToken: "الرمز من الرسالة أو من أحد المديرين",
    resetPassword: "كلمة المرور الجديدة",
    resetSubmit: "حفظ كلمة المرور الجديدة",
    resetDone: "تم تغيير كلمة المرور. سجّل الدخول بالكلمة الجديدة.",
  },
};
