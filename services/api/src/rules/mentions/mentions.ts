import { findMentions, mentionedName, namesOfRun } from "@parley/message-text";

/** The mentions that a message may have, before names are looked up (docs/protocol/messages.md#7.1). */
export interface MentionCandidates {
  /** The texts behind the signs, in order of first mention. */
  runs: readonly string[];
  /** The usernames that these may mean, without duplicates. */
  usernames: string[];
}

/** Most names of one message that are looked up. */
const candidatesMax = 200;
/** Longer usernames cannot log in. */
const usernameLengthMax = 128;
const everyone = "everyone";

/** Finds the names that a message may mention. */
export function mentionCandidates(content: string): MentionCandidates {
  const runs = findMentions(content);
  const usernames = new Set<string>();
  for (const name of runs.flatMap((run) => namesOfRun(run, usernameLengthMax))) {
    if (usernames.size === candidatesMax) break;
    if (name !== everyone) usernames.add(name);
  }
  return { runs, usernames: [...usernames] };
}

/**
 * Whom a message mentions.
 *
 * @param idByName the members among the candidates
 */
export function resolveMentions(
  { runs }: Pick<MentionCandidates, "runs">,
  idByName: ReadonlyMap<string, string>,
): { userIds: string[]; everyone: boolean } {
  const names = new Set(runs.map((run) => mentionedName(run, (name) => name === everyone || idByName.has(name))));
  return {
    userIds: [...names].flatMap((name) => (name === null ? [] : (idByName.get(name) ?? []))),
    everyone: names.has(everyone),
  };
}
