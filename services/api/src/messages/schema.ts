import { text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimit } from "../http/page-limit.js";
import { nonceInput } from "../nonces/schema.js";
import { messageErrors } from "./error-texts.js";

/**
 * Content is stored as sent; U+200B counts as content, because clients send it for file-only messages
 * (docs/interface.md#4.11).
 */
export const messageContent = text({ min: 1, max: 4000, message: messageErrors.content }).refine(
  (value) => value.trim() !== "",
  messageErrors.content,
);

export const createMessageBody = z.object({
  content: messageContent,
  reply_to: uuidInput("Invalid reply_to").nullish(),
  nonce: nonceInput,
});

export const updateMessageBody = z.object({ content: messageContent });

export const historyQuery = z.object({ before: uuidInput("Invalid before").optional(), limit: pageLimit });
/** The pages of a channel's history lie before or after a message; a direct-message channel's only before one. */
export const channelHistoryQuery = historyQuery
  .extend({ after: uuidInput("Invalid after").optional() })
  .refine(({ before, after }) => before === undefined || after === undefined, messageErrors.oneCursor);
export type HistoryQuery = z.infer<typeof channelHistoryQuery>;
