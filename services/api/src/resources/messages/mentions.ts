/** Possible mentions in the text of a message, before names are looked up (docs/interface.md#7.1). */
export interface MentionCandidates {
  everyone: boolean;
  /** Possible usernames in order of first mention, without duplicates. */
  usernames: string[];
}

/** Most names of one message that are looked up; more than a meaningful message of 4000 code points has. */
const candidatesMax = 200;

/** Greedy from the start: a pattern of what follows would be tried at every character of a long run. */
const upToLastLetter = /^.*[\p{L}\p{Nd}_]/su;

/**
 * Finds the names that a message may mention: whitespace-separated tokens that start with `@`, cut after the last
 * letter, digit or underscore. Names with hyphens (bots) match in full.
 *
 * @param content text of the message
 */
export function findMentions(content: string): MentionCandidates {
  const usernames = new Set<string>();
  let everyone = false;
  if (!content.includes("@")) return { everyone, usernames: [] };
  for (const token of content.split(/[\s\u0085]+/u)) {
    if (!token.startsWith("@")) continue;
    const [name = ""] = upToLastLetter.exec(token.slice(1)) ?? [];
    if (name === "everyone") everyone = true;
    else if (name !== "" && usernames.size < candidatesMax) usernames.add(name);
  }
  return { everyone, usernames: [...usernames] };
}
