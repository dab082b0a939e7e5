import { z } from "zod";
import { unclearable } from "../../http/input.js";
import { inviteErrors } from "./error-texts.js";
import { inviteLifeHoursMax, inviteUsesMax } from "./limits.js";

export const createInviteBody = z.object({
  max_uses: unclearable(
    z.int(inviteErrors.maxUses).min(1, inviteErrors.maxUses).max(inviteUsesMax, inviteErrors.maxUses),
  ),
  expires_in_hours: unclearable(
    z.int(inviteErrors.hours).min(1, inviteErrors.hours).max(inviteLifeHoursMax, inviteErrors.hours),
  ),
});
export type CreateInvite = z.infer<typeof createInviteBody>;
