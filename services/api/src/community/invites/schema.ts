import { errorTexts, inviteRolesMax, listOf, uuidInput, vanityCodePattern } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

/** Most uses that the database can count. */
const inviteUsesMax = 2 ** 31 - 1;

/** Longest life of an invite, in hours. */
const inviteLifeHoursMax = 720;

export const createInviteBody = z.object({
  max_uses: nonNull(
    z
      .int(errorTexts.max_uses_invalid)
      .min(1, errorTexts.max_uses_invalid)
      .max(inviteUsesMax, errorTexts.max_uses_invalid),
  ),
  expires_in_hours: nonNull(
    z
      .int(errorTexts.expires_in_hours_range)
      .min(1, errorTexts.expires_in_hours_range)
      .max(inviteLifeHoursMax, errorTexts.expires_in_hours_range),
  ),
  role_ids: nonNull(
    listOf(uuidInput(errorTexts.invite_roles_invalid), {
      max: inviteRolesMax,
      message: errorTexts.invite_roles_invalid,
    }).transform((ids) => [...new Set(ids)]),
  ),
});
export type CreateInvite = z.infer<typeof createInviteBody>;

export const vanityBody = z.object({
  code: z.string(errorTexts.vanity_code_invalid).regex(vanityCodePattern, errorTexts.vanity_code_invalid),
});
