/** What a text of JSON may hold. */
export interface JsonBounds {
  /** Levels of objects and arrays. */
  levelsMax: number;
  /** Members of objects and elements of arrays, of all together. */
  valuesMax: number;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Which bound a text exceeds, decided before it is parsed: JSON.parse accepts any depth and number of values, and takes
 * many times as long for them as for a text of the same length. What is no JSON is refused by JSON.parse.
 */
export function exceededBound(text: string, { levelsMax, valuesMax }: JsonBounds): keyof JsonBounds | null {
  let isInString = false;
  let levels = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) isInString = !isInString;
    else if (isInString) at += unit === backslash ? 1 : 0;
    else if (unit === comma) values += 1;
    else if (unit === openArray || unit === openObject) {
      levels += 1;
      values += 1;
      if (levels > levelsMax) return "levelsMax";
    } else if (unit === closeArray || unit === closeObject) levels -= 1;
    if (values > valuesMax) return "valuesMax";
  }
  return null;
}
