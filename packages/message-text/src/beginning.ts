const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Most units of a text that are cut into characters for each that is kept; people write no longer ones. */
const unitsPerCharacterMax = 32;

/**
 * The beginning of a text in whole characters, as people see them: no letter without its accent, no emoji in parts.
 *
 * @param lengthMax most code points, the `…` of a cut text included
 */
export function beginning(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const read = text.slice(0, (lengthMax + 1) * unitsPerCharacterMax);
  let length = 0;
  let kept = 0;
  for (const { segment, index } of characters.segment(read)) {
    const before = length;
    length += [...segment].length;
    if (length > lengthMax) return `${text.slice(0, kept)}…`;
    if (before < lengthMax && length <= lengthMax - 1) kept = index + segment.length;
  }
  return read.length === text.length ? text : `${text.slice(0, kept)}…`;
}

/** The first character of a text, whole; empty of an empty one. */
export const firstCharacter = (text: string): string =>
  characters.segment(text.slice(0, unitsPerCharacterMax)).containing(0)?.segment ?? "";
