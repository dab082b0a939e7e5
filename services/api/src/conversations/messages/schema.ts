import {
  ComponentRowsInput,
  componentsInput,
  EmbedInput,
  embedLimits,
  embedsInput,
  errorTexts,
  isBlank,
  text,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { identifiers } from "../../platform/http/input.js";
import { nonceInput } from "../../platform/nonces/schema.js";
import { messageContent } from "../core/schema.js";
import { notPlanned, sendAt } from "../planned/schema.js";
import { embedsWith } from "./attached-pictures.js";
import { type AppParts, hasAppParts } from "./embeds.js";

/** The text of a message that may have none. */
const anyContent = text({ min: 0, max: 4000, message: errorTexts.message_content_length });

/** The fields that apps may add to the text (docs/protocol/apps.md#25.4). */
const appFields = { embeds: embedsInput, components: componentsInput };
/** The same for the API description. */
const describedAppFields = {
  embeds: z.array(EmbedInput).max(embedLimits.embeds).nullish().meta({ description: "Of bots only" }),
  components: ComponentRowsInput.nullish().meta({ description: "Of bots only, in rows" }),
};

/** Without embeds and components, a message has text. */
export function requireContent<B extends AppParts & { content: string }>(body: B, context: z.RefinementCtx): void {
  if (isBlank(body.content) && !hasAppParts(body)) {
    context.addIssue({ code: "custom", path: ["content"], message: errorTexts.message_content_length });
  }
}

export const messageFields = z.object({
  content: anyContent.default(""),
  reply_to: uuidInput(errorTexts.reply_to_invalid).nullish(),
  nonce: nonceInput,
  ...appFields,
});
/** Only text waits for a time: an upload or a component would have to be kept until then. */
export function requireText<B extends AppParts & { send_at?: Date | undefined }>(
  body: B,
  context: z.RefinementCtx,
): void {
  if (body.send_at !== undefined && hasAppParts(body))
    context.addIssue({ code: "custom", path: ["send_at"], message: errorTexts.scheduled_text_only });
}
export const plannedFields = messageFields.extend({ send_at: sendAt });
export const createMessageBody = plannedFields.superRefine(requireContent).superRefine(requireText);
export const describedMessageBody = plannedFields.extend(describedAppFields);

/** The same of a message that is sent with these files, which may have no text. */
export const messageFormPayload = (files: readonly ReceivedFile[]) =>
  messageFields.extend({
    content: messageContent.or(z.literal("")).default(""),
    embeds: embedsWith(files),
    send_at: notPlanned,
  });

/** Most messages of one request, and of the event that it causes (docs/protocol/moderation.md#24.4). */
const deletedMessagesMax = 100;

export const deleteMessagesBody = z.object({
  message_ids: identifiers(deletedMessagesMax, errorTexts.message_ids_count),
});

const updateFields = z.object({ content: anyContent.optional(), ...appFields });
/** Whether text is left beside embeds and components is known with the message. */
export const updateMessageBody = updateFields.superRefine(({ content, embeds, components }, context) => {
  if (embeds === undefined && components === undefined && isBlank(content ?? "")) {
    context.addIssue({ code: "custom", path: ["content"], message: errorTexts.message_content_length });
  }
});
export const describedUpdateBody = updateFields.extend(describedAppFields);
export type UpdateMessage = z.infer<typeof updateMessageBody>;

/** Texts of every 403 of the send pipeline beyond those of the right to send: messages, thread replies and polls. */
export const sendForbidden = [
  errorTexts.timed_out,
  ...writingErrors,
  errorTexts.word_filtered,
  errorTexts.duplicate_message,
  errorTexts.message_blocked_by_rule,
];
/** Texts of every 429 of the send pipeline beyond those of the rate limits. */
export const sendLimited = [errorTexts.slow_mode(5)];
/** Texts of the 400 and the 403 about embeds and components. */
export const appRejections = [
  errorTexts.embeds_invalid("[0].title: must be 1-256 characters"),
  errorTexts.components_invalid("[0][0].label: is required"),
  errorTexts.embeds_too_large,
];
export const appForbidden = [errorTexts.only_bots_embed];
