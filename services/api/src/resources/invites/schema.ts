import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";
import { inviteLifeHoursMax, inviteUsesMax } from "./limits.js";

export const createInviteBody = z.object({
  max_uses: unclearable(
    z
      .int(errorTexts.max_uses_invalid)
      .min(1, errorTexts.max_uses_invalid)
      .max(inviteUsesMax, errorTexts.max_uses_invalid),
  ),
  expires_in_hours: unclearable(
    z
      .int(errorTexts.expires_in_hours_range)
      .min(1, errorTexts.expires_in_hours_range)
      .max(inviteLifeHoursMax, errorTexts.expires_in_hours_range),
  ),
});
export type CreateInvite = z.infer<typeof createInviteBody>;
