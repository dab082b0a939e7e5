/** Somebody whom the writer chose among the suggestions. */
export interface ChosenMention {
  /** The name in the field behind the `@`, as readers will see it. */
  name: string;
  /** The username in the sent message (docs/protocol/messages.md#7.1). */
  username: string;
}

/** Usernames by the names that stand for them in a text. */
export type ChosenMentions = ReadonlyMap<string, string>;

/** The name of a mention in a text, in which another account may have the same one already. */
export function nameInText({ name, username }: ChosenMention, chosen: ChosenMentions): string {
  return (chosen.get(name) ?? username) === username ? name : username;
}

/** The text as it is sent: with the usernames of the chosen members. */
export function withUsernames(text: string, chosen: ChosenMentions): string {
  if (chosen.size === 0) return text;
  // The longest first: "Ann Lee" may be chosen beside "Ann".
  const names = [...chosen.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  // The same characters as for the service may surround a mention.
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_./@-])@(${names.join("|")})(?![A-Za-z0-9_-])`, "gu");
  return text.replace(mention, (whole, name: string) => `@${chosen.get(name) ?? whole}`);
}

/**
 * A sent text as its author would have written it: with the names of the mentioned users that readers see.
 *
 * @param taken usernames of other accounts, which no name may replace
 * @returns the text, and the choices from which {@link withUsernames} makes the sent one
 */
export function withNames(
  sent: string,
  mentioned: readonly ChosenMention[],
  taken: ReadonlySet<string>,
): { text: string; chosen: ChosenMentions } {
  const chosen = new Map<string, string>();
  for (const { name, username } of mentioned)
    if (name !== username && !taken.has(name) && !chosen.has(name)) chosen.set(name, username);
  const text = withUsernames(sent, new Map([...chosen].map(([name, username]) => [username, name])));
  // Such a name may stand in the text already, without being a mention.
  return withUsernames(text, chosen) === sent ? { text, chosen } : { text: sent, chosen: new Map() };
}

const escaped = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
