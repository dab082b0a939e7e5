import type { Texts } from "../english/catalogue.js";
import { account } from "./account.js";
import { administration } from "./administration.js";
import { auditLog } from "./audit-log.js";
import { conversation } from "./conversation.js";
import { errors } from "./errors.js";
import { isolated } from "./isolated.js";
import { search } from "./search.js";
import { serverSettings } from "./server-settings.js";
import { shell } from "./shell.js";
import { voice } from "./voice.js";

/** The Arabic texts. */
export const arabic: Texts = {
  common: {
    cancel: "إلغاء",
    close: "إغلاق",
    showTyped: "إظهار ما أكتبه",
    copied: "تم النسخ",
    copy: "نسخ",
    retry: "إعادة المحاولة",
    save: "حفظ",
    loading: "جارٍ التحميل",
    moreFor: (name) => `خيارات أخرى لـ ${name}`,
    unreachable: "تعذّر الوصول إلى الخادم. تحقّق من اتصالك ثم حاول مجددًا.",
    partMissing: "تعذّر تحميل هذا الجزء. ربما صدر إصدار جديد من Parley، أو أنك غير متصل بالإنترنت.",
    loadAgain: "إعادة تحميل الصفحة",
    failed: "حدث خطأ ما. حاول مجددًا.",
    goneAccount: "حساب محذوف",
    sorting: {
      handle: "مقبض",
      move: (name) => `نقل ${isolated(name)}`,
      instructions: "مفتاح المسافة للالتقاط، والأسهم للنقل، والمسافة مجددًا للإفلات، وEsc للإلغاء.",
      taken: (name, place, count) => `التُقط ${isolated(name)}، الموضع ${place} من ${count}.`,
      over: (name, place, count) => `${isolated(name)} الآن في الموضع ${place} من ${count}.`,
      dropped: (name, place, count) => `أُفلت ${isolated(name)} في الموضع ${place} من ${count}.`,
      cancelled: (name) => `أُلغي النقل. عاد ${isolated(name)} إلى مكانه.`,
    },
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
    ends: {
      ended: "سُجّل خروجك: أُنهيت جلستك من جهاز آخر، أو تغيّرت كلمة المرور، أو طال غيابك.",
      disabled: "سُجّل خروجك لأن هذا الحساب عُطّل. يستطيع أحد المديرين إخبارك بالمزيد.",
    },
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
