import { clearableText, errorTexts, rulesLengthMax, safetyBounds } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

/** A whole number within its bounds. */
export const bounded = (name: keyof typeof safetyBounds) => {
  const message = errorTexts[`${name}_range`];
  const { min, max } = safetyBounds[name];
  return z.int(message).min(min, message).max(max, message);
};
const flag = (name: "require_verified_email" | "rules_for_all" | "raid_shield") =>
  nonNull(z.boolean(errorTexts[`${name}_not_boolean`]));

export const updateSafetyBody = z.object({
  min_account_age_minutes: nonNull(bounded("min_account_age_minutes")),
  min_membership_minutes: nonNull(bounded("min_membership_minutes")),
  require_verified_email: flag("require_verified_email"),
  rules: clearableText(rulesLengthMax, errorTexts.rules_length).optional(),
  rules_for_all: flag("rules_for_all"),
  raid_shield: flag("raid_shield"),
  raid_joins_per_minute: nonNull(bounded("raid_joins_per_minute")),
  raid_new_accounts_hours: nonNull(bounded("raid_new_accounts_hours")),
  raid_minutes: nonNull(bounded("raid_minutes")),
});
export type UpdateSafety = z.infer<typeof updateSafetyBody>;
