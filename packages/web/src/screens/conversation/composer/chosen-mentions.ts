/** Somebody whom the writer chose among the suggestions. */
export interface ChosenMention {
  /** As it stands in the field behind the `@`: what readers will see. */
  name: string;
  /** What the message is sent with (docs/interface.md#7.1). */
  username: string;
}

/** Usernames by the names that stand for them in a text. */
export type ChosenMentions = ReadonlyMap<string, string>;

/** The name of a mention in a text, in which another account may have the same one already. */
export function nameInText({ name, username }: ChosenMention, chosen: ChosenMentions): string {
  return (chosen.get(name) ?? username) === username ? name : username;
}

/** The text as it is sent: with the usernames of those who were chosen. */
export function withUsernames(text: string, chosen: ChosenMentions): string {
  if (chosen.size === 0) return text;
  // The longest first: "Ann Lee" may be chosen beside "Ann".
  const names = [...chosen.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  // What may stand around a mention is the same as for the service.
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_./@-])@(${names.join("|")})(?![A-Za-z0-9_-])`, "gu");
  return text.replace(mention, (whole, name: string) => `@${chosen.get(name) ?? whole}`);
}

const escaped = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
