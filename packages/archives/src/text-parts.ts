import { accountName } from "./account-name.js";
import type { FormText, TextPart } from "./form-parts.js";

/** Splits a text at its code: the odd pieces are code. */
const code = /(```[\s\S]*?```|``[^\n]+?``|`[^`\n]+`)/;

/** The parts of a text, with neighbouring words in one part, and without empty ones. */
export function joinedParts(parts: readonly TextPart[]): FormText {
  const joined: FormText = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part === "") continue;
    if (typeof part === "string" && typeof last === "string") joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined;
}

/**
 * Replaces what matches a pattern.
 *
 * @param pattern with the flag `g`; it does not match the empty text
 * @param replace null leaves a match as it is
 */
export function replaced(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => TextPart | readonly TextPart[] | null,
): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const found = replace(match as RegExpExecArray);
    if (found === null) continue;
    parts.push(text.slice(end, match.index), ...(Array.isArray(found) ? (found as TextPart[]) : [found as TextPart]));
    end = match.index + match[0].length;
  }
  return end === 0 ? [text] : [...parts, text.slice(end)];
}

/** Converts what is no code of a Markdown text; its code stays as it is, or becomes what `convertCode` makes of it. */
export function outsideCode(
  text: string,
  convert: (plain: string) => readonly TextPart[],
  convertCode: (code: string) => string = (code) => code,
): FormText {
  return joinedParts(text.split(code).flatMap((piece, at) => (at % 2 === 1 ? convertCode(piece) : convert(piece))));
}

/**
 * Makes quotes of lines of a quote that goes on to the end of a text. Its sign counts outside of code only.
 *
 * @param sign behind a line's begin, with the flags `gm`
 * @param mark of a line of a quote
 */
export function closedQuote(text: string, sign: RegExp, mark: string): string {
  let start = 0;
  for (const [at, piece] of text.split(code).entries()) {
    for (const match of at % 2 === 1 ? [] : piece.matchAll(sign)) {
      const begin = start + match.index;
      // A piece that follows code does not begin a line.
      if (begin > 0 && text[begin - 1] !== "\n") continue;
      const rest = text.slice(begin + match[0].length);
      return `${text.slice(0, begin)}${mark}${rest.replaceAll("\n", `\n${mark}`)}`;
    }
    start += piece.length;
  }
  return text;
}

/** Converts the words of parts; the other parts stay. */
export const insideParts = (parts: readonly TextPart[], convert: (words: string) => readonly TextPart[]): FormText =>
  joinedParts(parts.flatMap((part) => (typeof part === "string" ? convert(part) : [part])));

/** Replaces the names behind a sign, such as `@`; the longest one that stands there counts. */
export function replaceNames(text: string, sign: string, names: ReadonlyMap<string, TextPart>): TextPart[] {
  if (names.size === 0 || !text.includes(sign)) return [text];
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length).map(literally);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_.@/-])${sign}(${longestFirst.join("|")})(?![.-]?[\\p{L}\\p{N}_])`,
    "gu",
  );
  return replaced(text, pattern, ([, name = ""]) => names.get(name) ?? null);
}

/** Converts the words of parts as one text in which U+0000 stands around the place of each other part. */
export function throughParts(parts: readonly TextPart[], convert: (words: string) => string): FormText {
  const words = parts.map((part, at) => (typeof part === "string" ? part : `\0${at}\0`)).join("");
  return joinedParts(
    convert(words)
      .split("\0")
      .map((piece, at) => (at % 2 === 1 ? (parts[Number(piece)] ?? "") : piece)),
  );
}

/**
 * A text whose names are words: embeds have no parts. What the writer calls people and channels is known only later, so that
 * these are the names that it gives where no other account or channel has them.
 */
export const flatText = (
  text: FormText,
  names: { person(id: string): string | undefined; channel(id: string): string | undefined },
): string =>
  text
    .map((part) => {
      if (typeof part === "string") return part;
      if ("everyone" in part) return `@${part.everyone}`;
      if ("channel" in part) return `#${names.channel(part.channel) ?? part.channel}`;
      if ("emoji" in part) return `:${part.emoji}:`;
      return `${part.silent === true ? "" : "@"}${accountName(names.person(part.person) ?? part.person)}`;
    })
    .join("");

/** Whether nothing of a text is to be seen. */
export const isBlankText = (text: FormText): boolean =>
  text.every((part) => typeof part === "string" && part.trim() === "");

/** The text as lines of a quote. */
export const quoted = (text: FormText): FormText =>
  joinedParts(["> ", ...insideParts(text, (words) => [words.replaceAll("\n", "\n> ")])]);

/** A text for a regular expression that matches it. */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
