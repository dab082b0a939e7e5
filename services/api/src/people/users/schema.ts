import {
  clearableName,
  clearablePictureUrl,
  clearableText,
  displayNameLengthMax,
  dmsFrom,
  errorTexts,
  presenceStatuses,
} from "@parley/contracts";
import { z } from "zod";
import { instant, nonNull } from "../../platform/http/input.js";

/** Shown beside the name. */
const line = (field: "pronouns" | "custom_status" | "activity", max: number) =>
  clearableName(max, errorTexts[`${field}_length`]).optional();

export const updateUserBody = z.object({
  display_name: clearableName(displayNameLengthMax, errorTexts.display_name_length).optional(),
  avatar_url: clearablePictureUrl("avatar_url").optional(),
  bio: clearableText(500, errorTexts.bio_length).optional(),
  pronouns: line("pronouns", 40),
  status: nonNull(z.enum(presenceStatuses, errorTexts.status_invalid)),
  custom_status: line("custom_status", 128),
  status_expires_at: instant(errorTexts.status_expires_at_invalid)
    .refine((time) => time.getTime() > Date.now(), errorTexts.status_expires_at_invalid)
    .nullish()
    .meta({ description: "When the custom status ends; a new one without it has no end" }),
  activity: line("activity", 128),
  dms_from: nonNull(z.enum(dmsFrom, errorTexts.dms_from_invalid)),
});
export type UpdateUser = z.infer<typeof updateUserBody>;
