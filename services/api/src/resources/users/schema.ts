import { clearablePictureUrl, clearableText, dmsFrom, errorTexts, presenceStatuses } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../http/input.js";

const bounded = (field: "bio" | "pronouns" | "custom_status" | "activity", max: number) =>
  clearableText(max, errorTexts[`${field}_length`]).optional();

export const updateUserBody = z.object({
  avatar_url: clearablePictureUrl("avatar_url").optional(),
  bio: bounded("bio", 500),
  pronouns: bounded("pronouns", 40),
  status: nonNull(z.enum(presenceStatuses, errorTexts.status_invalid)),
  custom_status: bounded("custom_status", 128),
  activity: bounded("activity", 128),
  dms_from: nonNull(z.enum(dmsFrom, errorTexts.dms_from_invalid)),
});
export type UpdateUser = z.infer<typeof updateUserBody>;
