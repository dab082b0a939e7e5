import { permissionBits } from "@parley/contracts";
import { describe, expect, test } from "vitest";
import { decideWriting, mustAcceptRules } from "./safety.js";
import type { WriterSafety } from "./safety-repository.js";

const hour = 3_600;

/** A member of a year with an account of two, in a server that asks nothing. */
const old: WriterSafety = {
  min_account_age_minutes: 0,
  min_membership_minutes: 0,
  require_verified_email: false,
  account_age_secs: 2 * 365 * 24 * hour,
  membership_secs: 365 * 24 * hour,
  email_verified: false,
  is_bot: false,
  rules_version: null,
  rules_for_all: false,
  rules_secs: null,
  accepted_rules: null,
  raid_secs: null,
  raid_new_accounts_hours: 24,
};
const decide = (safety: Partial<WriterSafety>, permissions: number = permissionBits.SEND_MESSAGES) =>
  decideWriting({ permissions, safety: { ...old, ...safety } });

/** Falls short of everything. */
const worst: Partial<WriterSafety> = {
  min_account_age_minutes: 525_600,
  min_membership_minutes: 525_600,
  require_verified_email: true,
  account_age_secs: 0,
  membership_secs: 0,
  rules_version: 1,
  rules_for_all: true,
  rules_secs: 0,
  raid_secs: 0,
};

test("writes in a server without settings", () => {
  expect(decideWriting({ permissions: 0, safety: null })).toBe("allowed");
  expect(decide({})).toBe("allowed");
});

test.each<[string, Partial<WriterSafety>, string]>([
  ["an account as old as asked", { min_account_age_minutes: 10, account_age_secs: 600 }, "allowed"],
  ["an account that is younger", { min_account_age_minutes: 10, account_age_secs: 599.9 }, "newcomer"],
  ["a membership as long as asked", { min_membership_minutes: 10, membership_secs: 600 }, "allowed"],
  ["a membership that is shorter", { min_membership_minutes: 10, membership_secs: 599.9 }, "newcomer"],
  ["a verified address", { require_verified_email: true, email_verified: true }, "allowed"],
  ["no verified address", { require_verified_email: true }, "newcomer"],
  ["rules that came later", { rules_version: 1, rules_secs: 10, membership_secs: 11 }, "allowed"],
  ["rules that were there before", { rules_version: 1, rules_secs: 10, membership_secs: 10 }, "rules"],
  ["rules of before, accepted", { rules_version: 1, rules_secs: 10, membership_secs: 9, accepted_rules: 1 }, "allowed"],
  [
    "changed rules, for newcomers",
    { rules_version: 2, rules_secs: 10, membership_secs: 9, accepted_rules: 1 },
    "allowed",
  ],
  ["later rules for all", { rules_version: 1, rules_for_all: true, rules_secs: 10 }, "rules"],
  ["changed rules for all", { rules_version: 2, rules_for_all: true, rules_secs: 10, accepted_rules: 1 }, "rules"],
  ["rules for all, accepted", { rules_version: 2, rules_for_all: true, rules_secs: 10, accepted_rules: 2 }, "allowed"],
  ["a young member of the raid", { raid_secs: 60, membership_secs: 360, account_age_secs: hour }, "newcomer"],
  ["a young member from before the raid", { raid_secs: 60, membership_secs: 361, account_age_secs: hour }, "allowed"],
  ["an old account that joined during the raid", { raid_secs: 60, membership_secs: 1 }, "allowed"],
  [
    "an account that is just old enough for a raid",
    { raid_secs: 60, membership_secs: 1, account_age_secs: 24 * hour },
    "allowed",
  ],
  ["both short of time and of rules", worst, "newcomer"],
])("decides about %s", (_, safety, decision) => {
  expect(decide(safety)).toBe(decision);
});

describe("exempts", () => {
  test.each(["KICK_MEMBERS", "BAN_MEMBERS", "MUTE_MEMBERS", "MANAGE_MESSAGES", "ADMINISTRATOR"] as const)(
    "a holder of %s from everything",
    (name) => {
      expect(decide(worst, permissionBits[name])).toBe("allowed");
      expect(mustAcceptRules({ permissions: permissionBits[name], safety: { ...old, ...worst } })).toBe(false);
    },
  );

  test("bots from everything", () => {
    expect(decide({ ...worst, is_bot: true })).toBe("allowed");
  });

  test("nobody for another permission", () => {
    const others = Object.entries(permissionBits).filter(
      ([name]) => !/^(KICK|BAN|MUTE)_MEMBERS$|^MANAGE_MESSAGES$|^ADMINISTRATOR$/.test(name),
    );
    for (const [, bit] of others) expect(decide(worst, bit)).toBe("newcomer");
    expect(others).toHaveLength(Object.keys(permissionBits).length - 5);
  });
});

test("says of the rules alone whether they are to be accepted", () => {
  expect(mustAcceptRules({ permissions: 0, safety: { ...old, ...worst } })).toBe(true);
  expect(mustAcceptRules({ permissions: 0, safety: old })).toBe(false);
  expect(mustAcceptRules({ permissions: 0, safety: null })).toBe(false);
});
