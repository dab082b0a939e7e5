import type { Texts } from "../english/catalogue.js";

/** Errors that people meet often, by the text that the server answers with. */
export const errors: Texts["errors"] = {
  "Invalid username or password": "اسم المستخدم أو كلمة المرور غير صحيحة.",
  "Invalid second factor code": "هذا الرمز غير صحيح. جرّب أحدث رمز.",
  "Account is disabled": "هذا الحساب معطَّل.",
  "Wrong password": "كلمة المرور غير صحيحة.",
  "Username must be 2-32 characters: letters, digits and underscores":
    "يتكوّن اسم المستخدم من 2 إلى 32 حرفًا: أحرف لاتينية وأرقام وشرطات سفلية.",
  "Password must be 8-128 characters": "تتكوّن كلمة المرور من 8 إلى 128 حرفًا.",
  "Invalid email address": "هذا ليس عنوان بريد إلكتروني.",
  "Registration is currently closed": "إنشاء الحسابات الجديدة متوقف هنا حاليًا.",
  "A valid invite code is required": "تحتاج إلى رمز دعوة صالح للتسجيل هنا.",
  "Username already taken": "اسم المستخدم هذا مأخوذ.",
  "Email already registered": "يوجد حساب بهذا البريد الإلكتروني.",
  "Invalid or expired reset token": "هذا الرمز غير صحيح أو انتهت صلاحيته. اطلب رمزًا جديدًا.",
  "Invalid or expired verification token": "هذا الرمز غير صحيح أو انتهت صلاحيته. اطلب رمزًا جديدًا.",
  "E-mail is not configured": "لا يستطيع هذا الخادم إرسال البريد الإلكتروني.",
  "Invite not found": "هذه الدعوة غير موجودة.",
  "Invite not found or has expired": "انتهت صلاحية هذه الدعوة أو أنها لم توجد قط.",
  "This invite has expired": "انتهت صلاحية هذه الدعوة.",
  "This invite has reached its maximum uses": "استُنفدت مرات استخدام هذه الدعوة.",
  "You are banned from this server": "أنت محظور من هذا الخادم.",
  "Message content must be 1-4000 characters": "تتكوّن الرسالة من 1 إلى 4000 حرف.",
  "You don't have permission to send messages in this channel": "لا يمكنك إرسال رسائل في هذه القناة.",
  "User is timed out": "أنت موقوف مؤقتًا ولا يمكنك الكتابة الآن.",
  "Message blocked by word filter": "حظر مرشّح الكلمات هذه الرسالة",
  "Duplicate message blocked": "لقد أرسلت الرسالة نفسها للتو.",
  "Too many requests": "تمهّل قليلًا، ثم حاول مجددًا.",
  "Service unavailable": "الخادم غير متاح الآن. حاول بعد لحظات.",
  "Internal server error": "حدث خطأ في الخادم. حاول مجددًا.",
};
