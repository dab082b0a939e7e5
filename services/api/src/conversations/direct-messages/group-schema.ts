import { errorTexts, groupNameLengthMax, groupPeopleMax, listOf, nameText, uuidInput } from "@parley/contracts";
import { z } from "zod";

/** Fewest others with whom a group begins; with one it is a channel of two. */
const othersMin = 2;
const othersMax = groupPeopleMax - 1;
/** Ids of a request; an id may stand in it twice. */
const idsMax = 100;

/** Each counted once. */
export const groupPeople = listOf(uuidInput(errorTexts.user_id_invalid), {
  max: idsMax,
  message: errorTexts.group_people_required,
  tooMany: errorTexts.group_full(groupPeopleMax),
})
  .transform((ids) => [...new Set(ids)])
  .refine((ids) => ids.length >= othersMin, errorTexts.group_people_required)
  .refine((ids) => ids.length <= othersMax, errorTexts.group_full(groupPeopleMax))
  .meta({ minItems: othersMin, maxItems: othersMax, description: "The others of a new group" });

export const groupName = nameText({ min: 0, max: groupNameLengthMax, message: errorTexts.group_name_length })
  .nullish()
  .transform((name) => (name === "" ? null : name))
  .meta({ maxLength: groupNameLengthMax, description: "Of a group; trimmed; null or empty for none" });

export const updateGroupBody = z.object({ name: groupName });
