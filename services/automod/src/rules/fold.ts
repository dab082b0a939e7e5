import { lookAlikes } from "./look-alikes.js";

/** Marks the beginning or end of a word, in texts of {@link Folded.bounded}. */
const boundary = "\u0001";

/** A text as words are compared with it. */
export interface Folded {
  readonly plain: string;
  /** The same with marks at the beginnings and ends of words, so that whole words are parts of it. */
  readonly bounded: string;
}

/** By code point; null in the sparse part that was not asked for yet. */
const known = new Map<number, string>();
const likeness = new Map(
  Object.entries(lookAlikes).flatMap(([letter, alikes]) => [...alikes].map((alike) => [alike, letter] as const)),
);

/** Both cases of a letter become the same, also where only one of them looks like another letter. */
function foldCharacter(codePoint: number): string {
  let folded = known.get(codePoint);
  if (folded === undefined) {
    const lower = String.fromCodePoint(codePoint).toLowerCase();
    folded = likeness.get(lower) ?? likeness.get(lower.toUpperCase()) ?? lower;
    known.set(codePoint, folded);
  }
  return folded;
}

/** Invisible characters, and the accents of all scripts; marks that belong to one script are letters of it. */
const unseen = /\p{Default_Ignorable_Code_Point}|\p{Cf}|(?=\p{Script=Inherited})\p{M}/gu;
const onlyAscii = /^\p{ASCII}*$/u;

/** The reading of ambiguous characters: `usual` reads 1 and | as l; `other` reads them as i, and a capital I as l. */
type Reading = "usual" | "other";

function foldAs(text: string, as: Reading): string {
  const one = as === "usual" ? "l" : "i";
  const capitals = as === "usual" ? text : text.replaceAll("I", "l");
  let folded = capitals;
  if (!onlyAscii.test(capitals)) {
    folded = "";
    for (const character of capitals.normalize("NFKD").replace(unseen, ""))
      folded += foldCharacter(character.codePointAt(0) ?? 0);
    folded = folded.normalize("NFC");
  }
  return folded.toLowerCase().replaceAll("0", "o").replace(/[1|]/g, one).replace(/\s+/g, " ");
}

const bound = (plain: string): Folded => ({
  plain,
  bounded: plain.replace(/[\p{L}\p{N}\p{M}_]+/gu, `${boundary}$&${boundary}`),
});

/**
 * Folds a listed word: case, accents, full-width and look-alike letters and invisible characters make no difference
 * (docs/protocol/automod.md#24.8).
 */
export function foldWord(word: string): Folded {
  return bound(foldAs(word, "usual").trim());
}

/** A folded word without the mark of its end. */
export const withoutEnd = (bounded: string): string =>
  bounded.endsWith(boundary) ? bounded.slice(0, -boundary.length) : bounded;

/** The text with its allowed parts masked. */
export function maskIn({ plain }: Folded, parts: readonly string[]): Folded {
  return bound(parts.reduce((text, part) => text.replaceAll(part, "\u0002"), plain));
}

/** Folds a text in the ways in which it can be read: a capital I may stand for a small l, and a 1 for either. */
export function foldText(text: string): Folded[] {
  const usual = foldAs(text, "usual");
  const readings = /[I1|]/.test(text) ? [usual, foldAs(text, "other")] : [usual];
  return readings.map(bound);
}

/** A key that is equal for messages that differ only in case, accents and the like. */
export const foldContent = (content: string): string => foldAs(content, "usual").trim();
