/** Words of notices of Zulip's own bot, which has no types for them, and the kind that the report names. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/created this (?:channel|stream)|(?:channel|stream) created by/i, "channel made"],
  [
    /marked (?:this topic|.*topic was|as).*resolved|was marked as (?:un)?resolved|has marked this topic/i,
    "topic resolved",
  ],
  [/\bmoved\b/i, "moved"],
  [/\brenamed\b/i, "renamed"],
  [/\bdescription\b/i, "topic changed"],
  [/\barchived\b|\bdeactivated\b/i, "archived"],
  [/\bpermissions?\b|\bprivacy\b|\bsubscribe/i, "permissions changed"],
];

/** The kind of a notice. */
export const systemMessage = (content: string): string =>
  kinds.find(([words]) => words.test(content))?.[1] ?? "of another kind";
