import { errorTexts, isBlank, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";
import { nonceInput } from "../../platform/nonces/schema.js";

/** Where a message is forwarded to, with words of the one who forwards it. */
export const forwardBody = z
  .object({
    channel_id: nonNull(uuidInput(errorTexts.forward_target)),
    dm_channel_id: nonNull(uuidInput(errorTexts.forward_target)),
    content: nonNull(text({ min: 0, max: 4000, message: errorTexts.message_content_length })).transform((content) =>
      content === undefined || isBlank(content) ? "" : content,
    ),
    nonce: nonceInput,
  })
  .refine(({ channel_id, dm_channel_id }) => (channel_id === undefined) !== (dm_channel_id === undefined), {
    message: errorTexts.forward_target,
  });
export type ForwardBody = z.output<typeof forwardBody>;
export const forwardErrors = [
  errorTexts.forward_target,
  errorTexts.message_content_length,
  errorTexts.nonce_length,
  errorTexts.storage_quota_exceeded,
];
