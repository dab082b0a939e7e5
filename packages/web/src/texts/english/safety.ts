import { counted } from "./counted.js";

/** Newcomers, raids, and the rules that members accept. */
export const safety = {
  title: "Newcomers and raids",
  explanation: "What this server asks of new members, and what it does when very many come at once.",
  newcomers: "Newcomers",
  newcomersHint: "Who falls short can read, but not write, react or talk. Moderators and bots are exempt.",
  min_account_age_minutes: "Age of the account (minutes)",
  min_membership_minutes: "Time since joining (minutes)",
  require_verified_email: "A verified email address",
  rulesTitle: "Rules",
  rulesHint: "Members accept them before they can write. Leave empty for none.",
  rules: "Text of the rules",
  rules_for_all: "Also ask those who joined earlier, and everyone again after each change",
  shield: "Raid shield",
  shieldHint:
    "When more new accounts join within a minute than you allow, no more of them get in, and those who just came can’t write. Everyone else notices nothing.",
  raid_shield: "On",
  raid_joins_per_minute: "Joins of new accounts per minute",
  raid_new_accounts_hours: "Accounts are new for (hours)",
  raid_minutes: "Stays closed for (minutes)",
  ownerOnly: "Only the owner can change these settings.",
  saved: "Saved.",
  raid: "Raid",
  raidHint: "You can also close the server to new accounts yourself.",
  noRaid: "The server isn’t under raid.",
  underRaid: (time: string) => `The server is under raid until ${time}.`,
  joined: (count: number) => `${counted(count, "account")} joined during the latest raid.`,
  minutes: "For (minutes)",
  begin: "Close to new accounts",
  end: "End the raid",
  banJoined: "Ban who joined",
  banTitle: (count: number) => `Ban ${counted(count, "account")}?`,
  banExplanation:
    "Everyone who joined from a minute before the raid until its end is banned, older accounts and those who have left included.",
  bannedJoined: (banned: number, failed: number) =>
    failed === 0 ? `${banned} banned.` : `${banned} banned, ${failed} could not be banned.`,
} as const;
