import { errorTexts, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimit } from "../../http/page-limit.js";
import { nonceInput } from "../../nonces/schema.js";
import { includeQuery, messageContent } from "../messages/schema.js";

export const createReplyBody = z.object({ content: messageContent, nonce: nonceInput });

/** The same of a reply that is sent with its files, which may have no text. */
export const replyFormPayload = createReplyBody.extend({ content: messageContent.default("") });

/** `before` is the older name of `after`: both continue forward (docs/interface.md#7.2). */
export const threadQuery = includeQuery.extend({
  after: uuidInput(errorTexts.after_invalid).optional(),
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: pageLimit,
});
export type ThreadQuery = z.infer<typeof threadQuery>;
