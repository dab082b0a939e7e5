// Beside the schemas that use them, because the web application shows them: a schema would bring zod into its scripts.

/** The types of a rule's trigger (docs/protocol/automod.md#24.8). */
export const automodTriggerTypes = [
  "words",
  "regex",
  "links",
  "invites",
  "mentions",
  "repetition",
  "attachments",
  "caps",
  "name",
] as const;

export const wordMatches = ["part", "word", "prefix"] as const;
export const linkModes = ["block_listed", "allow_listed_only"] as const;

/** Bounds of a rule's content. */
export const ruleLimits = {
  name: 100,
  words: 1_000,
  wordLength: 100,
  patterns: 20,
  patternLength: 260,
  domains: 1_000,
  domainLength: 253,
  mimeTypes: 50,
  mimeTypeLength: 100,
  exemptions: 250,
  actions: 3,
  message: 150,
} as const;

/** Bounds of all rules of a server together (docs/protocol/limits.md#16.3). */
export const rulesPerServerMax = 50;
export const ruleWordsPerServerMax = 10_000;
/** Instructions that all patterns compile to. */
export const rulePatternSizePerServerMax = 30_000;

/** The people that the trigger `mentions` takes everyone, those who are connected, and each role for. */
const groupMentionsCount = 10;

/** How many mentions a text has for the trigger `mentions` (docs/protocol/automod.md#24.8). */
export const countMentions = (mentioned: readonly string[], ...groups: readonly (boolean | number)[]): number =>
  new Set(mentioned).size + groups.reduce<number>((sum, count) => sum + Number(count), 0) * groupMentionsCount;

/** The categories of reports (docs/protocol/moderation.md#24.5). */
export const reportCategories = ["spam", "harassment", "illegal", "other"] as const;
export type ReportCategory = (typeof reportCategories)[number];
export const reportStatuses = ["open", "closed"] as const;
export type ReportStatus = (typeof reportStatuses)[number];
