import { errorTexts, isBlank, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { instant } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";

/**
 * Content is stored as sent; U+200B counts as content, because clients send it for file-only messages
 * (docs/protocol/objects.md#4.11).
 */
export const messageContent = text({ min: 1, max: 4000, message: errorTexts.message_content_length }).refine(
  (value) => !isBlank(value),
  errorTexts.message_content_length,
);

const details = ["reactions", "attachments", "previews", "author"] as const;
/** Every list of some of the names, for the type that clients have of it. */
const listsOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => [
    name,
    ...listsOf(names.filter((other) => other !== name)).map((others) => `${name},${others}`),
  ]);
/** Names of the details that messages are read with, separated by commas (docs/protocol/messages.md#7.1). */
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
