import { errorTexts, uuidInput } from "@parley/contracts";
import type { z } from "zod";
import type { ReceivedFile } from "../../platform/files/receive.js";
import { pageLimit } from "../../platform/http/page-limit.js";
import { includeQuery } from "../core/schema.js";
import {
  describedMessageBody,
  messageFormPayload,
  plannedFields,
  requireContent,
  requireText,
} from "../messages/schema.js";

const withoutTarget = { reply_to: true } as const;
export const createReplyBody = plannedFields.omit(withoutTarget).superRefine(requireContent).superRefine(requireText);
export const describedReplyBody = describedMessageBody.omit(withoutTarget);

/** The same of a reply that is sent with these files, which may have no text. */
export const replyFormPayload = (files: readonly ReceivedFile[]) => messageFormPayload(files).omit(withoutTarget);

/** `before` is the older name of `after`: both continue forward (docs/protocol/messages.md#7.2). */
export const threadQuery = includeQuery.extend({
  after: uuidInput(errorTexts.after_invalid).optional(),
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: pageLimit,
});
export type ThreadQuery = z.infer<typeof threadQuery>;
