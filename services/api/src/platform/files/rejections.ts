import { attachmentBytesMax, attachmentsMax, errorTexts } from "@parley/contracts";

/** Texts of every 400 about files (docs/protocol/messages.md#7.6). */
export const fileRejections = [
  errorTexts.files_required,
  errorTexts.file_empty,
  errorTexts.file_too_large(attachmentBytesMax / 1024 / 1024),
  errorTexts.file_type_not_allowed("<mime>"),
  errorTexts.file_type_unknown,
  errorTexts.attachments_limit_reached(attachmentsMax),
  errorTexts.invalid_multipart,
  errorTexts.storage_quota_exceeded,
];
