import { z } from "zod";
import { unclearable } from "../http/input.js";
import { inviteLifeHoursMax, inviteUsesMax } from "./limits.js";

const usesMessage = "max_uses must be greater than 0";
const hoursMessage = `expires_in_hours must be between 1 and ${inviteLifeHoursMax}`;

export const createInviteBody = z.object({
  max_uses: unclearable(z.int(usesMessage).min(1, usesMessage).max(inviteUsesMax, usesMessage)),
  expires_in_hours: unclearable(z.int(hoursMessage).min(1, hoursMessage).max(inviteLifeHoursMax, hoursMessage)),
});
export type CreateInvite = z.infer<typeof createInviteBody>;
