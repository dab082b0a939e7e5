import { isDeeplyNested, readMessage } from "./read-message.js";
import { mentionLength } from "./syntax/marks.js";
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
  if (!possible.test(text)) return [];
  const runs = mayHide.test(text) || isDeeplyNested(text) ? shownRuns(text) : writtenRuns(text);
  const mentions = new Set<string>();
  for (const run of runs) {
    if (mentions.size === mentionsMax) break;
    mentions.add(run);
  }
  return [...mentions];
}

function* shownRuns(text: string): Generator<string> {
  for (const { mark } of walk(readMessage(text))) if (mark?.kind === "user") yield mark.value;
}

function* writtenRuns(text: string): Generator<string> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const [before = ""] = [...text.slice(Math.max(0, at - 2), at)].slice(-1);
    const length = mentionLength(text, at, before);
    if (length > 0) yield text.slice(at + 1, at + 1 + length);
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
