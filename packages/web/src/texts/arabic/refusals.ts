import type { Texts } from "../english/catalogue.js";

/** Errors that people meet often once they are in, by the code that the server answers with. */
export const refusals: Texts["refusals"] = {
  sign_in_already_connected: "حسابك مرتبط بالفعل.",
  sign_in_identity_taken: "هناك حساب آخر هنا مرتبط به.",
  single_sign_on_only: "لا تُستخدم كلمات المرور هنا. سجّل الدخول عبر مزوّد تسجيل الدخول.",
  account_has_no_password: "ليس لحسابك كلمة مرور: أنت تسجّل الدخول عبر مزوّد تسجيل الدخول.",
  invite_not_found: "هذه الدعوة غير موجودة.",
  invite_expired: "انتهت صلاحية هذه الدعوة.",
  invite_used_up: "استُنفدت مرات استخدام هذه الدعوة.",
  banned: "أنت محظور من هذا الخادم.",
  message_content_length: "تتكوّن الرسالة من 1 إلى 4000 حرف.",
  send_messages_required: "لا يمكنك إرسال رسائل في هذه القناة.",
  passkey_registered: "أُضيف مفتاح المرور هذا من قبل.",
  passkeys_limit_reached: "بلغت أكبر عدد من مفاتيح المرور. أزِل واحدًا أولًا.",
  cannot_message_user: "لا يمكنك مراسلة هذا الشخص.",
  group_full: "المجموعة ممتلئة.",
  groups_limit_reached: "أنت أو من تضيفه في أكبر عدد ممكن من المجموعات.",
  cannot_moderate_above: "لا يمكن فعل هذا بمن يساوي دوره أعلى أدوارك أو يعلوه.",
  timed_out: "أنت موقوف مؤقتًا ولا يمكنك الكتابة الآن.",
  newcomers_cannot_write:
    "لا يستطيع الأعضاء الجدد في هذا الخادم الكتابة بعد. يشترط مرور بعض الوقت أو بريدًا إلكترونيًا مؤكدًا أولًا.",
  rules_not_accepted: "اقبل قواعد هذا الخادم أولًا.",
  under_raid: "لا يقبل هذا الخادم أعضاء جددًا الآن. حاول لاحقًا.",
  word_filtered: "حظر مرشّح الكلمات هذه الرسالة",
  duplicate_message: "لقد أرسلت الرسالة نفسها للتو.",
  emoji_image_type: "يجب أن تكون الصور ملفات PNG أو JPEG أو WebP أو GIF.",
  image_too_large: "الحد الأقصى لحجم الصور 8 ميغابايت.",
  image_unreadable: "تعذّرت قراءة هذه الصورة. اختر صورة أخرى.",
  cannot_use_apps: "لا يمكنك استخدام التطبيقات في هذا الخادم.",
  command_not_found: "لم يعد هذا الأمر متاحًا في التطبيق.",
  component_not_found: "لم يعد هذا متاحًا للاستخدام.",
};
