/** Bounds of a text of JSON. */
export interface JsonBounds {
  /** Levels of objects and arrays. */
  levelsMax: number;
  /** Members of objects and elements of arrays, of all together. */
  valuesMax: number;
  /** Members of one object: the time of JSON.parse grows with their square, 45 ms for 9,900. */
  namesMax: number;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Which bound a text exceeds, decided before it is parsed: JSON.parse accepts any depth and number of values, and takes
 * many times as long for them as for a text of the same length. JSON.parse refuses a text that is no JSON.
 */
export function exceededBound(
  text: string,
  { levelsMax, valuesMax, namesMax }: JsonBounds,
): "levelsMax" | "valuesMax" | null {
  let isInString = false;
  let levels = 0;
  /** Commas of the object at each level; of an array they do not count. */
  const names = new Float64Array(levelsMax + 1);
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) isInString = !isInString;
    else if (isInString) at += unit === backslash ? 1 : 0;
    else if (unit === comma) {
      values += 1;
      const commas = (names[levels] ?? 0) + 1;
      if (commas >= namesMax) return "valuesMax";
      names[levels] = commas;
    } else if (unit === openArray || unit === openObject) {
      levels += 1;
      values += 1;
      if (levels > levelsMax) return "levelsMax";
      names[levels] = unit === openObject ? 0 : Number.NEGATIVE_INFINITY;
    } else if (unit === closeArray || unit === closeObject) levels -= 1;
    if (values > valuesMax) return "valuesMax";
  }
  return null;
}
