import { text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimit } from "../http/page-limit.js";

const contentMessage = "Message content must be 1-4000 characters";

/**
 * Content is stored as sent; U+200B counts as content, because clients send it for file-only messages
 * (docs/interface.md#4.11).
 */
export const messageContent = text({ min: 1, max: 4000, message: contentMessage }).refine(
  (value) => value.trim() !== "",
  contentMessage,
);

export const createMessageBody = z.object({
  content: messageContent,
  reply_to: uuidInput("Invalid reply_to").nullish(),
});
export type CreateMessage = z.infer<typeof createMessageBody>;

export const updateMessageBody = z.object({ content: messageContent });

export const historyQuery = z.object({ before: uuidInput("Invalid before").optional(), limit: pageLimit });
export type HistoryQuery = z.infer<typeof historyQuery>;
