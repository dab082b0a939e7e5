import { clearableHttpUrl, clearableText, presenceStatuses } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";
import { userErrors } from "./error-texts.js";

const bounded = (field: string, max: number) =>
  clearableText(max, `${field} must be at most ${max} characters`).optional();

export const updateUserBody = z.object({
  avatar_url: clearableHttpUrl("avatar_url").optional(),
  bio: bounded("bio", 500),
  pronouns: bounded("pronouns", 40),
  status: unclearable(z.enum(presenceStatuses, userErrors.status)),
  custom_status: bounded("custom_status", 128),
  activity: bounded("activity", 128),
});
export type UpdateUser = z.infer<typeof updateUserBody>;
