import { hiddenParts, hiddenText } from "@parley/message-text";

/** One piece of an excerpt, and whether it matched. */
export interface ExcerptPart {
  text: string;
  isMatch: boolean;
}

const shownMax = 280;
/** Characters before the first match. */
const leadMax = 60;

/**
 * The part of a message around its first match, in pieces: text that matched, and text that did not. Spoilers stay hidden, and so do
 * matches in them.
 */
export function excerptOf(content: string, ranges: readonly (readonly number[])[]): ExcerptPart[] {
  const hidden = hiddenParts(content);
  const matches = ranges
    .map(([from = 0, length = 0]) => ({ from, to: from + length }))
    .filter((match) => !hidden.some(({ from, to }) => match.from < to && from < match.to));
  const begin = beginOf(content, matches[0]?.from ?? 0);
  const end = atCharacter(content, Math.min(content.length, begin + shownMax));
  const marks = [
    ...hidden.map((mark) => ({ ...mark, isMatch: false })),
    ...matches.map((mark) => ({ ...mark, isMatch: true })),
  ].sort((a, b) => a.from - b.from);
  const parts: ExcerptPart[] = [{ text: begin > 0 ? "…" : "", isMatch: false }];
  let at = begin;
  for (const { from, to, isMatch } of marks) {
    if (to <= at || from >= end) continue;
    parts.push({ text: content.slice(at, Math.max(at, from)), isMatch: false });
    parts.push({ text: isMatch ? content.slice(Math.max(at, from), Math.min(to, end)) : hiddenText, isMatch });
    at = to;
  }
  parts.push({ text: content.slice(at, Math.max(at, end)) + (end < content.length ? "…" : ""), isMatch: false });
  return parts.filter(({ text }) => text !== "");
}

/** Where an excerpt begins: at a word before the first match, or at the beginning. */
function beginOf(content: string, match: number): number {
  if (match <= leadMax) return 0;
  const blank = content.slice(match - leadMax, match).search(/\s/);
  return blank === -1 ? atCharacter(content, match - leadMax) : match - leadMax + blank + 1;
}

/** The place, or the one before it where it is within a character. */
const atCharacter = (content: string, at: number): number =>
  /^[\udc00-\udfff]/.test(content.slice(at, at + 1)) ? at - 1 : at;

/** An excerpt with its matches marked. */
export function Excerpt({ content, ranges }: { content: string; ranges: readonly (readonly number[])[] }) {
  return (
    <span dir="auto">
      {excerptOf(content, ranges).map(({ text, isMatch }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
        isMatch ? <mark key={index}>{text}</mark> : text,
      )}
    </span>
  );
}
