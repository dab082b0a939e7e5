import { randomBytes } from "node:crypto";
import { accountName, type FormText, type PersonRecord } from "@parley/archives";

/** Code points of a message. */
export const contentLengthMax = 4_000;

/** How names stand in texts. */
export interface Names {
  /** The account of a person, and the name that people see. */
  person(id: string): { id: string; username: string; name: string } | undefined;
  channel(id: string): string | undefined;
  emoji(id: string): string | undefined;
}

/** A text with its names, and the accounts that it mentions, in order of first mention. */
export interface Rendered {
  content: string;
  mentions: string[];
  everyone: boolean;
  here: boolean;
}

/** Writes the names into a text (docs/protocol/moving.md#32); a thing without a name stays as the archive calls it. */
export function renderText(text: FormText, names: Names): Rendered {
  const mentions = new Set<string>();
  const groups = new Set<"everyone" | "here">();
  const content = text
    .map((part) => {
      if (typeof part === "string") return part;
      if ("channel" in part) return `#${names.channel(part.channel) ?? part.channel}`;
      if ("emoji" in part) return `:${names.emoji(part.emoji) ?? part.emoji}:`;
      if ("everyone" in part) {
        groups.add(part.everyone);
        return `@${part.everyone}`;
      }
      const person = names.person(part.person);
      if (person === undefined) return part.silent === true ? part.person : `@${part.person}`;
      if (part.silent === true) return person.name;
      mentions.add(person.id);
      return `@${person.username}`;
    })
    .join("");
  return { content, mentions: [...mentions], everyone: groups.has("everyone"), here: groups.has("here") };
}

/** No longer than this a text is in UTF-16 units, whatever names it has; for texts that need no second look. */
export function lengthAtMost(text: FormText): number {
  let length = 0;
  for (const part of text) length += typeof part === "string" ? part.length : 140;
  return length;
}

/**
 * A text as messages of at most 4,000 code points: cut behind the last line end, else behind the last space, else there
 * (docs/protocol/moving.md#32). Together they are the text, and each shows something.
 */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > contentLengthMax) {
    const end = endOf(rest);
    if (end === rest.length) break;
    const window = rest.slice(0, end);
    const cut = [window.lastIndexOf("\n") + 1, window.lastIndexOf(" ") + 1, end].find(
      (at) => at > 0 && /\S/u.test(window.slice(0, at)),
    );
    parts.push(rest.slice(0, cut ?? end));
    rest = rest.slice(cut ?? end);
  }
  // White space alone would show nothing.
  if (parts.length === 0 || /\S/u.test(rest)) parts.push(rest);
  return parts;
}

/** Files of a message. */
const filesMax = 10;

/** The messages that a text and so many files become: the first has the rest of what a message has. */
export function messagesOf(text: string, files: number): { content: string; files: number }[] {
  const messages = splitText(text).map((content, index) => ({
    content,
    files: index === 0 ? Math.min(files, filesMax) : 0,
  }));
  for (let more = files - filesMax; more > 0; more -= filesMax)
    messages.push({ content: "", files: Math.min(more, filesMax) });
  return messages;
}

/** Where the first 4,000 code points end, in UTF-16 units. */
function endOf(text: string): number {
  let at = 0;
  for (let letters = 0; letters < contentLengthMax && at < text.length; letters += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** Values of rand_a. */
const countersMax = 4_095;

/**
 * A UUIDv7 of a time in the past (docs/protocol/moving.md#32).
 *
 * @param at milliseconds since 1970
 * @param counter number among the ids of the millisecond, which rise with it; above 4,094 it goes on in rand_b
 */
export function idOf(at: number, counter = 0): string {
  const random = randomBytes(8);
  const inA = Math.min(counter, countersMax);
  if (inA === countersMax) random.writeUInt32BE(counter - countersMax, 0);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const hex = at.toString(16).padStart(12, "0") + (0x7000 + inA).toString(16) + random.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Letters of an account's name. */
const usernameLengthMax = 32;
/** What mentions mean by themselves: names of no account. */
export const reserved = ["everyone", "here"];

/** What the name of a person's account begins with. */
export const usernameOf = ({ username, isOwnName }: Pick<PersonRecord, "username" | "isOwnName">): string =>
  isOwnName === true ? username : accountName(username);

/** Names to try, best first: the name itself unless it is refused, then with a number behind it. */
export function* candidatesOf(name: string, refusedNames: readonly string[] = reserved): Generator<string> {
  const refused = new Set(refusedNames.map((each) => each.toLowerCase()));
  if (!refused.has(name.toLowerCase())) yield name;
  for (let number = 2; ; number += 1) yield name.slice(0, usernameLengthMax - String(number).length) + number;
}

/** The name of an emoji here (docs/protocol/moving.md#32), before a number tells it from others. */
export function emojiNameOf(old: string): string {
  const name = old
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9_-]+/g, "_");
  return name.slice(0, usernameLengthMax).replace(/^_+$/, "") || "emoji";
}

/** The next candidate that is not given yet; adds it to those. */
export function nextFree(candidates: Generator<string>, given: Set<string>): string {
  for (;;) {
    const { value } = candidates.next();
    if (given.has(value)) continue;
    given.add(value);
    return value;
  }
}
