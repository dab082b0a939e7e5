/** A part of a text, by where it begins. */
export interface MarkedPart {
  at: number;
  text: string;
  isMarked: boolean;
}

/** A text in parts; the parts that equal a term, in any case, are marked. */
export function markTerms(text: string, terms: readonly string[]): MarkedPart[] {
  const alternatives = terms
    .filter((term) => term !== "")
    .toSorted((a, b) => b.length - a.length)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (alternatives.length === 0) return [{ at: 0, text, isMarked: false }];
  let at = 0;
  // With a group around the separators, every second part is a term.
  return text
    .split(new RegExp(`(${alternatives.join("|")})`, "giu"))
    .map((part, index) => {
      const marked = { at, text: part, isMarked: index % 2 === 1 };
      at += part.length;
      return marked;
    })
    .filter((part) => part.text !== "");
}
