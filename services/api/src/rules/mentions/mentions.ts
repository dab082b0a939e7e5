import { findAllMentions, findMentions, mentionedName, namesOfRun } from "@parley/message-text";

/** The mentions that a message may have, before names are looked up (docs/protocol/messages.md#7.1). */
export interface MentionCandidates {
  content: string;
  /** The texts behind the signs, in order of first mention. */
  runs: readonly string[];
  /** The usernames that these may mean, without duplicates. */
  usernames: string[];
}

/** A role whose name stands behind a sign of the message. */
export interface RoleCandidate {
  id: string;
  name: string;
}

/** The mentions of a message. */
export interface ResolvedMentions {
  userIds: string[];
  everyone: boolean;
  roleIds: string[];
  here: boolean;
}

/** The mentions of a message that mentions nobody, as it is stored. */
export const noMentions = { mentionUserIds: [], mentionEveryone: false, mentionRoleIds: [], mentionHere: false };

/** Most names of one message that are looked up. */
const candidatesMax = 200;
/** Longer usernames cannot log in. */
const usernameLengthMax = 128;
const everyone = "everyone";
const here = "here";
const isGroup = (name: string): boolean => name === everyone || name === here;

/** Finds the names that a message may mention. */
export function mentionCandidates(content: string): MentionCandidates {
  const runs = findMentions(content);
  const usernames = new Set<string>();
  for (const name of runs.flatMap((run) => namesOfRun(run, usernameLengthMax))) {
    if (usernames.size === candidatesMax) break;
    if (!isGroup(name)) usernames.add(name);
  }
  return { content, runs, usernames: [...usernames] };
}

/** The text in which names of roles are looked for; null where none can stand, so that looking costs nothing. */
export const textOfRoles = (content: string): string | null => (content.includes("@") ? content : null);

/**
 * The mentions of a message. A role is mentioned only where no member has its name.
 *
 * @param idByName the members among the candidates
 * @param roles those that the author may mention; of those with the same name the first is mentioned
 */
export function resolveMentions(
  { content, runs: ownRuns }: Pick<MentionCandidates, "content" | "runs">,
  idByName: ReadonlyMap<string, string>,
  roles: readonly RoleCandidate[] = [],
): ResolvedMentions {
  const roleByName = new Map(
    roles.toReversed().flatMap(({ id, name }) => (isGroup(name) || idByName.has(name) ? [] : [[name, id] as const])),
  );
  const { runs, roles: roleNames } =
    roleByName.size === 0 ? { runs: ownRuns, roles: [] } : findAllMentions(content, [...roleByName.keys()]);
  const names = new Set(runs.map((run) => mentionedName(run, (name) => isGroup(name) || idByName.has(name))));
  return {
    userIds: [...names].flatMap((name) => (name === null ? [] : (idByName.get(name) ?? []))),
    everyone: names.has(everyone),
    roleIds: roleNames.flatMap((name) => roleByName.get(name) ?? []),
    here: names.has(here),
  };
}
