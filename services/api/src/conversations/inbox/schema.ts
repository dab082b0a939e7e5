import { errorTexts, inboxKinds, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";

const kinds = z
  .string(errorTexts.kinds_invalid)
  .transform((value, context) => {
    const names = value.split(",").map((name) => inboxKinds.find((kind) => kind === name));
    if (names.includes(undefined)) context.addIssue(errorTexts.kinds_invalid);
    return inboxKinds.filter((kind) => names.includes(kind));
  })
  .default([...inboxKinds])
  .meta({
    type: "string",
    description: `Any of ${inboxKinds.join(", ")}, separated by commas`,
    example: "mention,reply",
  });

/** `before` is an item. */
export const inboxQuery = z.object({
  kinds,
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: pageLimit,
});
export type InboxQuery = z.infer<typeof inboxQuery>;

/** `before` is the newest item that was read; without it all are. */
export const inboxAck = z.object({ before: nonNull(uuidInput(errorTexts.before_invalid)) });
