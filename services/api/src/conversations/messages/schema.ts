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
import { identifiers, instant } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";
import { nonceInput } from "../../platform/nonces/schema.js";
import { type AppParts, hasAppParts } from "./embeds.js";

/**
 * Content is stored as sent; U+200B counts as content, because clients send it for file-only messages
 * (docs/interface.md#4.11).
 */
export const messageContent = text({ min: 1, max: 4000, message: errorTexts.message_content_length }).refine(
  (value) => !isBlank(value),
  errorTexts.message_content_length,
);

/** The text of a message that may have none. */
const anyContent = text({ min: 0, max: 4000, message: errorTexts.message_content_length });

/** What apps may put beside the text (docs/interface.md#25.4). */
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
export const createMessageBody = messageFields.superRefine(requireContent);
export const describedMessageBody = messageFields.extend(describedAppFields);

/** The same of a message that is sent with its files, which may have no text. */
export const messageFormPayload = messageFields.extend({ content: messageContent.or(z.literal("")).default("") });

/** Most messages of one request, and of the event that it causes (docs/interface.md#24.4). */
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

const details = ["reactions", "attachments", "previews", "author"] as const;
/** Every list of some of the names, for the type that clients have of it. */
const listsOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => [
    name,
    ...listsOf(names.filter((other) => other !== name)).map((others) => `${name},${others}`),
  ]);
/** Names of the details that messages are read with, separated by commas (docs/interface.md#7.1). */
const include = z
  .string(errorTexts.include_invalid)
  .transform((value, context) => {
    const names = value.split(",").map((name) => details.find((detail) => detail === name));
    if (names.includes(undefined)) context.addIssue(errorTexts.include_invalid);
    return details.filter((detail) => names.includes(detail));
  })
  .default([])
  .meta({
    type: "string",
    enum: listsOf(details),
    description:
      "Any of `reactions`, `attachments`, `previews` and `author`, separated by commas: what the messages then have",
    example: "reactions,attachments",
  });
export const includeQuery = z.object({ include });
export type Include = z.infer<typeof include>;

/** A page of a channel's history, which may be before or after a message, or begin at an instant. */
export const channelHistoryQuery = includeQuery
  .extend({
    before: uuidInput(errorTexts.before_invalid).optional(),
    limit: pageLimit,
    after: uuidInput(errorTexts.after_invalid).optional(),
    since: instant(errorTexts.since_invalid).optional(),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, errorTexts.two_cursors)
  .refine(
    ({ before, after, since }) => since === undefined || (before === undefined && after === undefined),
    errorTexts.since_with_cursor,
  );
export type HistoryQuery = z.infer<typeof channelHistoryQuery>;
/** Where a page of a history is. */
export type HistoryPlace = Pick<HistoryQuery, "before" | "after" | "since" | "limit"> & { channelId: string };

/** Texts of every 400 of a page of a history. */
export const historyRejections = [
  errorTexts.limit_not_integer,
  errorTexts.before_invalid,
  errorTexts.after_invalid,
  errorTexts.two_cursors,
  errorTexts.since_invalid,
  errorTexts.since_with_cursor,
  errorTexts.include_invalid,
];

/** Texts of every 403 of the send pipeline: messages, thread replies and polls. */
export const sendForbidden = [
  errorTexts.view_channel_required,
  errorTexts.send_messages_required,
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
