import type { SearchTerm } from "@parley/contracts";

/** A word of a text: where it stands in UTF-16, and as it is compared. */
export interface Token {
  start: number;
  length: number;
  written: string;
  folded: string;
}

const dense =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
const denseRun = new RegExp(`${dense.source}+`, "gu");
/** "don't" is one word, as search_text has it. */
const word = /[\p{L}\p{M}\p{N}]*n['’]t(?![\p{L}\p{M}\p{N}])|[\p{L}\p{M}\p{N}]+/giu;

/** A name that ends or begins with signs, as search_names has it: only the whole of it was searched. */
const nameWithSigns = /^(?:[a-z0-9]{1,30}(?:\+\+|[+#])|\.[a-z][a-z0-9]{0,30})$/i;

/** As search_text folds, without accents and case; `ß` is `ss`. Joined letters are those that they are joined of. */
const fold = (text: string): string =>
  Array.from(text.normalize("NFKD").replace(/[\p{Mn}'’]/gu, ""), (letter) => letter.toUpperCase().toLowerCase())
    .join("")
    .replaceAll("ς", "σ")
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae");

export function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(word), ({ 0: written, index }) => ({
    ...{ start: index, length: written.length, written, folded: fold(written) },
  }));
}

/**
 * The words of a text that a search found, as pairs of start and length in UTF-16, in order and without overlaps.
 *
 * @param isForm whether a word of the text is another form of a term that is one word
 */
export function rangesOf(
  text: string,
  terms: readonly SearchTerm[],
  isForm: (token: Token, term: SearchTerm) => boolean,
): [start: number, length: number][] {
  const tokens = tokensOf(text);
  const found = terms.flatMap((term): [number, number][] => {
    if (dense.test(term.text)) return denseRanges(text, term.text);
    if (nameWithSigns.test(term.text)) return nameRanges(text, term.text);
    const parts = tokensOf(term.text).map(({ folded }) => folded);
    if (parts.length === 0) return [];
    if (parts.length === 1 && !term.isPhrase) {
      return tokens
        .filter((token) => token.folded === parts[0] || isForm(token, term))
        .map(({ start, length }) => [start, length]);
    }
    return tokens.flatMap(({ start }, index): [number, number][] => {
      const run = tokens.slice(index, index + parts.length);
      const last = run.at(-1);
      if (last === undefined || run.length < parts.length) return [];
      if (run.some(({ folded }, place) => folded !== parts[place])) return [];
      return [[start, last.start + last.length - start]];
    });
  });
  return withoutOverlaps(found);
}

function nameRanges(text: string, name: string): [number, number][] {
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}_.])${name.replace(/[.+]/g, "\\$&")}`, "giu");
  return Array.from(text.matchAll(wanted), ({ index }) => [index, name.length]);
}

/** Where the runs of a term of a script without blanks stand; where none stands whole, its pairs. */
function denseRanges(text: string, term: string): [number, number][] {
  const runs = term.match(denseRun) ?? [];
  return runs.flatMap((run) => {
    const whole = placesOf(text, run);
    if (whole.length > 0) return whole;
    const letters = Array.from(run);
    return letters.slice(1).flatMap((letter, index) => placesOf(text, `${letters[index]}${letter}`));
  });
}

function placesOf(text: string, part: string): [number, number][] {
  const found: [number, number][] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push([at, part.length]);
  return found;
}

function withoutOverlaps(ranges: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [start, length] of ranges.sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && start < last[0] + last[1]) last[1] = Math.max(last[1], start + length - last[0]);
    else result.push([start, length]);
  }
  return result;
}
