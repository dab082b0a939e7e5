import { z } from "zod";

/**
 * The settings and ages that decide whether a member may write (docs/protocol/moderation.md#24.7); ages by the database's clock.
 */
export const writerSafety = z.object({
  min_account_age_minutes: z.int(),
  min_membership_minutes: z.int(),
  require_verified_email: z.boolean(),
  account_age_secs: z.number(),
  membership_secs: z.number(),
  email_verified: z.boolean(),
  is_bot: z.boolean(),
  /** Null without rules. */
  rules_version: z.int().nullable(),
  rules_for_all: z.boolean(),
  /** Since when the server has had rules. */
  rules_secs: z.number().nullable(),
  /** The version that the member has accepted. */
  accepted_rules: z.int().nullable(),
  /** Since when the server is under raid; null when it is not. */
  raid_secs: z.number().nullable(),
  raid_new_accounts_hours: z.int(),
});
export type WriterSafety = z.infer<typeof writerSafety>;

/**
 * Column with the {@link writerSafety} of the member `m`; null in a server that has changed no setting, for which this
 * is one look-up in an index.
 *
 * @param userId SQL that names the member
 */
export const safetyColumn = (userId: string) => `(
    SELECT json_build_object(
      'min_account_age_minutes', f.min_account_age_minutes,
      'min_membership_minutes', f.min_membership_minutes,
      'require_verified_email', f.require_verified_email,
      'account_age_secs', extract(epoch FROM now() - u.created_at),
      'membership_secs', extract(epoch FROM now() - m.joined_at),
      'email_verified', u.email_verified_at IS NOT NULL,
      'is_bot', EXISTS (SELECT FROM bots b WHERE b.user_id = u.id),
      'rules_version', CASE WHEN f.rules IS NOT NULL THEN f.rules_version END,
      'rules_for_all', f.rules_for_all,
      'rules_secs', extract(epoch FROM now() - f.rules_since),
      'accepted_rules', m.accepted_rules,
      'raid_secs', CASE WHEN f.raid_until > now() THEN extract(epoch FROM now() - f.raid_started_at) END,
      'raid_new_accounts_hours', f.raid_new_accounts_hours)
    FROM server_safety f JOIN users u ON u.id = ${userId}
    WHERE f.server_id = m.server_id) AS safety`;
