import { errorTexts, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

/** Up to which message a channel was read; without it, all that was sent until now. */
export const readUpTo = z.object({ message_id: nonNull(uuidInput(errorTexts.message_id_invalid)) });
export const readUpToErrors = [errorTexts.message_id_invalid];

/** The same, or from which message on the channel is unread. */
export const readOrUnread = readUpTo
  .extend({ unread: nonNull(z.boolean(errorTexts.unread_not_boolean)) })
  .refine(({ message_id, unread }) => unread !== true || message_id !== undefined, errorTexts.message_id_invalid);
export const readOrUnreadErrors = [...readUpToErrors, errorTexts.unread_not_boolean];
export type ReadOrUnread = z.output<typeof readOrUnread>;
