import { errorTexts, forbidden } from "@parley/contracts";
import { hasPermission } from "@parley/permissions";
import type { WriterSafety } from "./safety-repository.js";

/** How long before the beginning of a raid its accounts may have joined, in seconds. */
const raidLeadSecs = 300;

/** Members with one of them may write, whatever the server's conditions for newcomers. */
const exempting = ["KICK_MEMBERS", "BAN_MEMBERS", "MUTE_MEMBERS", "MANAGE_MESSAGES", "ADMINISTRATOR"] as const;

/** A member's resolved bits, which are all of them for the owner, and their server's conditions for writing. */
interface Writer {
  permissions: number;
  safety: WriterSafety | null;
}

/** Why a member may or may not write (docs/protocol/moderation.md#24.7). */
export type WritingDecision = "allowed" | "newcomer" | "rules";

/**
 * Whether a member may write messages, vote, react and join voice channels; callers check the member's permission
 * first.
 */
export function decideWriting({ permissions, safety }: Writer): WritingDecision {
  if (safety === null || isExempt(permissions, safety)) return "allowed";
  if (isNewcomer(safety) || belongsToRaid(safety)) return "newcomer";
  return hasRulesToAccept(safety) ? "rules" : "allowed";
}

/** Whether the server's rules keep a member from writing until they accept them. */
export function mustAcceptRules({ permissions, safety }: Writer): boolean {
  return safety !== null && !isExempt(permissions, safety) && hasRulesToAccept(safety);
}

/** Texts of the 403 of {@link requireWriting}. */
export const writingErrors = [errorTexts.newcomers_cannot_write, errorTexts.rules_not_accepted];

/** @throws ServiceError 403 for newcomers, and before the rules of the server are accepted */
export function requireWriting(writer: Writer): void {
  const decision = decideWriting(writer);
  if (decision === "newcomer") throw forbidden(errorTexts.newcomers_cannot_write);
  if (decision === "rules") throw forbidden(errorTexts.rules_not_accepted);
}

function isExempt(permissions: number, { is_bot }: WriterSafety): boolean {
  return is_bot || exempting.some((name) => hasPermission(permissions, name));
}

function isNewcomer(safety: WriterSafety): boolean {
  return (
    safety.account_age_secs < safety.min_account_age_minutes * 60 ||
    safety.membership_secs < safety.min_membership_minutes * 60 ||
    (safety.require_verified_email && !safety.email_verified)
  );
}

function belongsToRaid({
  raid_secs,
  membership_secs,
  account_age_secs,
  raid_new_accounts_hours,
}: WriterSafety): boolean {
  if (raid_secs === null) return false;
  return membership_secs <= raid_secs + raidLeadSecs && account_age_secs < raid_new_accounts_hours * 3_600;
}

/** Everybody must accept a changed text again only where the rules are for all; otherwise one acceptance is enough. */
function hasRulesToAccept(safety: WriterSafety): boolean {
  const { rules_version, rules_for_all, rules_secs, membership_secs, accepted_rules } = safety;
  if (rules_version === null) return false;
  if (rules_for_all) return accepted_rules !== rules_version;
  return accepted_rules === null && membership_secs <= (rules_secs ?? 0);
}
