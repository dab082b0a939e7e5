import { errorTexts, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { idOrInstant } from "../../platform/http/input.js";
import { boundedLimit } from "../../platform/http/page-limit.js";
import { nonceInput } from "../../platform/nonces/schema.js";
import { messageContent } from "../core/schema.js";
import { groupName, groupPeople } from "./group-schema.js";
import { channelPageMax } from "./limits.js";

/** One other for the channel with them; or several for a group. */
export const openChannelBody = z
  .object({
    user_id: uuidInput(errorTexts.user_id_invalid).optional().meta({ description: "For the channel of two" }),
    user_ids: groupPeople.optional(),
    name: groupName,
  })
  .refine(({ user_id, user_ids }) => user_id !== undefined || user_ids !== undefined, errorTexts.user_id_invalid);

export const sendBody = z.object({
  content: messageContent,
  reply_to: uuidInput(errorTexts.reply_to_invalid).nullish(),
  nonce: nonceInput,
});

export const updateDirectBody = z.object({ content: messageContent });

/** The same of a message that is sent with its files, which may have no text. */
export const sendFormPayload = sendBody.extend({ content: messageContent.default("") });

/** `before`: the time of the last message of the last channel already held, or its id when it was never used. */
export const channelsQuery = z.object({
  before: idOrInstant(errorTexts.before_invalid).optional(),
  limit: boundedLimit({ max: channelPageMax, fallback: channelPageMax }),
  groups: z
    .enum(["true", "false"], errorTexts.groups_not_boolean)
    .optional()
    .transform((value) => value === "true")
    .meta({ description: "`true`: with groups" }),
});
export type ChannelsQuery = z.infer<typeof channelsQuery>;
