import type { Texts } from "../english/catalogue.js";

/** Errors that people meet often on the way in, by the code that the server answers with. */
export const errors: Texts["errors"] = {
  wrong_credentials: "اسم المستخدم أو كلمة المرور غير صحيحة.",
  second_factor_invalid: "هذا الرمز غير صحيح. جرّب أحدث رمز.",
  passkey_invalid: "مفتاح المرور هذا غير معروف هنا، أو استغرق وقتًا طويلًا. حاول مرة أخرى.",
  passkeys_missing: "ليس لهذا الحساب مفاتيح مرور.",
  account_disabled: "هذا الحساب معطَّل.",
  wrong_password: "كلمة المرور غير صحيحة.",
  username_invalid: "يتكوّن اسم المستخدم من 2 إلى 32 حرفًا: أحرف لاتينية وأرقام وشرطات سفلية.",
  password_length: "تتكوّن كلمة المرور من 8 إلى 128 حرفًا.",
  email_invalid: "هذا ليس عنوان بريد إلكتروني.",
  registration_closed: "إنشاء الحسابات الجديدة متوقف هنا حاليًا.",
  invite_code_required: "تحتاج إلى رمز دعوة صالح للتسجيل هنا.",
  username_taken: "اسم المستخدم هذا مأخوذ.",
  email_taken: "يوجد حساب بهذا البريد الإلكتروني.",
  reset_token_invalid: "هذا الرمز غير صحيح أو انتهت صلاحيته. اطلب رمزًا جديدًا.",
  verification_token_invalid: "هذا الرمز غير صحيح أو انتهت صلاحيته. اطلب رمزًا جديدًا.",
  email_not_configured: "لا يستطيع هذا الخادم إرسال البريد الإلكتروني.",
  invite_not_found_or_expired: "انتهت صلاحية هذه الدعوة أو أنها لم توجد قط.",
  sign_in_account_missing: "لا يوجد حساب لك هنا بعد. اطلب من أحد المديرين إنشاءه.",
  sign_in_domain_refused: "يتطلب تسجيل الدخول هنا بريدًا إلكترونيًا مؤكدًا من مؤسستك.",
  rate_limited: "تمهّل قليلًا، ثم حاول مجددًا.",
  unavailable: "الخادم غير متاح الآن. حاول بعد لحظات.",
  internal: "حدث خطأ في الخادم. حاول مجددًا.",
};
