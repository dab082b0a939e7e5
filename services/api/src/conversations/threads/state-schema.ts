import { errorTexts, threadTitleLengthMax, trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";

/** Without `state` and `followed` the page has all threads. `before` is the id of a thread. */
export const threadsQuery = z.object({
  channel_id: uuidInput(errorTexts.channel_id_invalid).optional(),
  state: z.enum(["active", "closed"], errorTexts.thread_state_invalid).optional(),
  followed: z
    .enum(["true", "false"], errorTexts.followed_invalid)
    .transform((value) => value === "true")
    .optional()
    .meta({ type: "boolean" }),
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: pageLimit,
});
export type ThreadsQuery = z.infer<typeof threadsQuery>;

export const threadsQueryErrors = [
  errorTexts.channel_id_invalid,
  errorTexts.thread_state_invalid,
  errorTexts.followed_invalid,
  errorTexts.before_invalid,
  errorTexts.limit_not_integer,
];

export const updateThreadBody = z.object({
  title: trimmedText({ min: 0, max: threadTitleLengthMax, message: errorTexts.thread_title_length })
    .transform((title) => (title === "" ? null : title))
    .nullable()
    .optional(),
  closed: nonNull(z.boolean(errorTexts.closed_not_boolean)),
});
export type UpdateThread = z.infer<typeof updateThreadBody>;
