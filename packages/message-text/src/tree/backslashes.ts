import { isBracketedAddress } from "../syntax/addresses.js";
import { flanksOf, sidesOf } from "../syntax/flanks.js";
import { isChannelAt, isCustomEmojiAt } from "../syntax/marks.js";
import type { Reading } from "./reading.js";

/** Most repetitions of a sign that are looked at on each side. */
const runMax = 16;
/** Most other runs that one is compared with. */
const neighboursMax = 8;
const listMarks = String.raw`[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*`;
const lineStart = new RegExp(`^${listMarks}$`);
const listNumber = new RegExp(`^${listMarks}\\d{1,9}$`);
const entity = /(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z\d]{1,31});/iy;
const headingSign = /(?:\\?#){1,6}(?:\s|$)/y;
const rule = /[-=*_\\ \t]*$/my;

const isAt = (pattern: RegExp, text: string, place: number): boolean => {
  pattern.lastIndex = place;
  return pattern.test(text);
};

/** The part of a place's line before it. */
const lineBefore = (text: string, place: number): string => text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
const isSpaceAt = (text: string, place: number): boolean => /^\s?$/.test(text.slice(place, place + 1));

/**
 * Whether the backslash at a place of the text is not shown: it is before a character that would mark something. Other
 * texts are shown as they are written: `¯\_(ツ)_/¯`, `C:\_old`, `\\server`.
 *
 * @param isInCell whether it is in a cell of a table, which any bar would end
 */
export function isBackslashHidden(reading: Reading, place: number, isInCell: boolean): boolean {
  const { text } = reading;
  if (reading.backslashesEnd <= place) {
    let end = place + 1;
    while (text[end] === "\\") end += 1;
    reading.backslashesEnd = end;
  }
  return marksSomething(reading, reading.backslashesEnd, isInCell);
}

/** Whether the sign at a place, behind a backslash, would mark something without it. */
function marksSomething(reading: Reading, place: number, isInCell: boolean): boolean {
  const { text, hasLinks, bars } = reading;
  const before = text[place - 2] ?? "";
  const after = text[place + 1] ?? "";
  const begins = () => lineStart.test(lineBefore(text, place - 1));
  switch (text[place]) {
    case "*":
    case "_":
    case "~":
      return isEmphasis(text, place) || (begins() && (isSpaceAt(text, place + 1) || isAt(rule, text, place)));
    case "`":
      return text.indexOf("`", place + 1) >= 0 || text.lastIndexOf("`", place - 2) >= 0;
    case "[":
    case "]":
      return hasLinks || (begins() && /^\[[ xX]\\?\]\s/.test(text.slice(place, place + 6)));
    case "!":
      return hasLinks && /[\\[]/.test(after);
    case "(":
      return before === "]";
    case ")":
    case ".":
      return (
        (isSpaceAt(text, place + 1) && listNumber.test(lineBefore(text, place - 1))) ||
        /www$/i.test(text.slice(place - 4, place - 1))
      );
    case "#":
      return (begins() && isAt(headingSign, text, place)) || isChannelAt(text, place, before);
    case "-":
    case "+":
    case "=":
      return begins() && (isSpaceAt(text, place + 1) || isAt(rule, text, place));
    case ">":
      return begins();
    case "<":
      return isBracketedAddress(text, place);
    case "|":
      return isInCell || (bars >= 4 && (before === "|" || after === "|" || text.startsWith("\\|", place + 1)));
    case ":":
      return (
        isCustomEmojiAt(text, place) || (text.startsWith("//", place + 1) && /https?$/i.test(text.slice(0, place - 1)))
      );
    case "&":
      return isAt(entity, text, place + 1);
    case "^":
      return before === "[" && hasLinks;
    default:
      return false;
  }
}

/** Whether a sign would begin or end emphasis with another one; between two other signs it is part of a face. */
function isEmphasis(text: string, place: number): boolean {
  const sign = text[place] ?? "";
  const run = runAt(text, place);
  if (run.isInFace) return false;
  return (
    (run.opens && neighbours(text, sign, run.to, 1).some(({ closes }) => closes)) ||
    (run.closes && neighbours(text, sign, run.from - 1, -1).some(({ opens }) => opens))
  );
}

/** The runs of a sign, escaped or not, on one side of a place: the next ones. */
function neighbours(text: string, sign: string, place: number, step: 1 | -1): Run[] {
  const runs: Run[] = [];
  let at = place;
  while (runs.length < neighboursMax) {
    at = step > 0 ? text.indexOf(sign, at) : at < 0 ? -1 : text.lastIndexOf(sign, at);
    if (at < 0) break;
    const run = runAt(text, at);
    runs.push(run);
    at = step > 0 ? Math.max(run.to, at + 1) : Math.min(run.from, at) - 1;
  }
  return runs;
}

interface Run {
  from: number;
  to: number;
  opens: boolean;
  closes: boolean;
  isInFace: boolean;
}

/** The repetitions of the sign at a place, with the backslashes before each. */
function runAt(text: string, place: number): Run {
  const sign = text[place] ?? "";
  let from = text[place - 1] === "\\" ? place - 1 : place;
  let to = place + 1;
  for (let steps = 0; steps < runMax; steps += 1) {
    if (text[from - 1] === sign) from -= text[from - 2] === "\\" ? 2 : 1;
    if (text.startsWith(`\\${sign}`, to)) to += 2;
    else if (text[to] === sign) to += 1;
  }
  const [before = ""] = [...text.slice(Math.max(0, from - 2), from)].slice(-1);
  const [after = ""] = text.slice(to, to + 2);
  const flanks = flanksOf(before, after);
  return { from, to, ...sidesOf(sign, flanks), isInFace: flanks.isAfterPunctuation && flanks.isBeforePunctuation };
}
