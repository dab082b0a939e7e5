import { isDeeplyNested, readMessage } from "./read-message.js";
import { mayMentionBehind, mentionLength, roleAt } from "./syntax/marks.js";
import { walk } from "./walk.js";

/** Most runs of one message that are looked at; more than a meaningful message of 4,000 code points has. */
export const mentionsMax = 200;

/** An `@` that may be a mention. */
const possible = /(?<![\p{L}\p{Nd}_\-./@])@[A-Za-z0-9_-]/u;
/** Characters that code, addresses and definitions need; a text without them has its mentions where the signs are. */
const mayHide =
  /[`~[\]<>\\|]|:\/\/|www\.|\+@|^(?: {4}| {0,3}\t)|\n(?:[ \t]*(?:[-+*]|\d{1,9}[.)]))?[ \t]*(?: {4}|\t)|(?:[-+*]|\d[.)])[ \t]{5}|(?:[-+*]|\d[.)])[ ]*\t/i;

/**
 * The runs of characters behind the signs of a message's mentions (docs/protocol/messages.md#7.1), in the order in which they are
 * shown, without duplicates: nothing in code and in addresses. Whom a run names, {@link mentionedName} says.
 *
 * Pure. A text without `@` costs nothing, and one without code and links is not parsed.
 */
export function findMentions(text: string): string[] {
  return possible.test(text) ? findAllMentions(text, []).runs : [];
}

/** The mentions of a text: the runs of {@link findMentions}, and the names of the mentioned roles. */
export interface FoundMentions {
  runs: string[];
  roles: string[];
}

/**
 * As {@link findMentions}, where a text may mention roles, too: the longest of their names that stands behind a sign, and that no
 * letter, digit, `_` or `-` follows, is the mention (docs/protocol/messages.md#33.3).
 */
export function findAllMentions(text: string, roleNames: readonly string[]): FoundMentions {
  const names = roleNames.toSorted((one, other) => other.length - one.length);
  const marks = mayHide.test(text) || isDeeplyNested(text) ? shownMarks(text, names) : writtenMarks(text, names);
  const found = { user: new Set<string>(), role: new Set<string>() };
  for (const { kind, value } of marks) {
    if (found.user.size + found.role.size === mentionsMax) break;
    found[kind].add(value);
  }
  return { runs: [...found.user], roles: [...found.role] };
}

interface MentionMark {
  kind: "user" | "role";
  value: string;
}

function* shownMarks(text: string, roleNames: readonly string[]): Generator<MentionMark> {
  for (const { mark } of walk(readMessage(text, roleNames))) {
    if (mark?.kind === "user" || mark?.kind === "role") yield { kind: mark.kind, value: mark.value };
  }
}

function* writtenMarks(text: string, roleNames: readonly string[]): Generator<MentionMark> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const [before = ""] = [...text.slice(Math.max(0, at - 2), at)].slice(-1);
    const role = mayMentionBehind(before) ? roleAt(text, at, roleNames) : undefined;
    if (role !== undefined) {
      yield { kind: "role", value: role };
      at += role.length;
      continue;
    }
    const length = mentionLength(text, at, before);
    if (length > 0) yield { kind: "user", value: text.slice(at + 1, at + 1 + length) };
  }
}

/**
 * The names that a run may mean, the longest first: shorter ones end before a hyphen.
 *
 * @param lengthMax longest name there is
 */
export function namesOfRun(run: string, lengthMax: number): string[] {
  const names = run.length <= lengthMax ? [run] : [];
  const beginning = run.slice(0, lengthMax + 1);
  for (let at = beginning.lastIndexOf("-"); at > 0; at = beginning.lastIndexOf("-", at - 1)) {
    if (at < run.length) names.push(beginning.slice(0, at));
  }
  return names;
}

/** The name that a run mentions, `everyone` included: the longest that is one; null for none. */
export const mentionedName = (run: string, isName: (name: string) => boolean): string | null =>
  namesOfRun(run, run.length).find(isName) ?? null;
