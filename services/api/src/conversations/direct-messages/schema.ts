import { errorTexts, groupNameLengthMax, groupPeopleMax, listOf, nameText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { idOrInstant } from "../../platform/http/input.js";
import { boundedLimit } from "../../platform/http/page-limit.js";
import { nonceInput } from "../../platform/nonces/schema.js";
import { messageContent } from "../core/schema.js";
import { notPlanned, sendAt } from "../planned/schema.js";
import { channelPageMax } from "./limits.js";

/** Fewest others with whom a group begins; with one it is a channel of two. */
const othersMin = 2;
const othersMax = groupPeopleMax - 1;
/** Ids of a request; an id may stand in it twice. */
const idsMax = 100;

/** Each counted once. */
const groupPeople = listOf(uuidInput(errorTexts.user_id_invalid), {
  max: idsMax,
  message: errorTexts.group_people_required,
  tooMany: errorTexts.group_full(groupPeopleMax),
})
  .transform((ids) => [...new Set(ids)])
  .refine((ids) => ids.length >= othersMin, errorTexts.group_people_required)
  .refine((ids) => ids.length <= othersMax, errorTexts.group_full(groupPeopleMax))
  .meta({ minItems: othersMin, maxItems: othersMax, description: "The others of a new group" });

const groupName = nameText({ min: 0, max: groupNameLengthMax, message: errorTexts.group_name_length })
  .nullish()
  .transform((name) => (name === "" ? null : name))
  .meta({ maxLength: groupNameLengthMax, description: "Of a group; trimmed; null or empty for none" });

export const updateGroupBody = z.object({ name: groupName });

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
  send_at: sendAt,
});

export const updateDirectBody = z.object({ content: messageContent });

/** The same of a message that is sent with its files, which may have no text. */
export const sendFormPayload = sendBody.extend({ content: messageContent.default(""), send_at: notPlanned });

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
