import { errorTexts } from "@parley/contracts";

/** Texts of every 403 of the send pipeline: messages, thread replies and polls. */
export const sendForbidden = [
  errorTexts.view_channel_required,
  errorTexts.send_messages_required,
  errorTexts.timed_out,
  errorTexts.word_filtered,
  errorTexts.duplicate_message,
];
