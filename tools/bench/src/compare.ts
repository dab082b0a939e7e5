/** A line of a benchmark's report, now and in another version. */
export interface ComparedLine {
  line: string;
  /** Now in times of then, for each number that differs; null for a line that the other version does not print. */
  ratios: readonly string[] | null;
}

/** Digits with separators; not those of a name such as `p50`. */
const number = /(?<![\w.,])\d[\d,]*(?:\.\d+)?/g;

/**
 * Puts the lines of two reports beside each other: lines belong together that are equal but for their numbers, in their order.
 *
 * @returns one for each line of `now` that has a number
 */
export function compareReports(now: readonly string[], then: readonly string[]): ComparedLine[] {
  const earlier = new Map<string, string[]>();
  for (const line of then) {
    const key = shapeOf(line);
    earlier.set(key, [...(earlier.get(key) ?? []), line]);
  }
  return now
    .filter((line) => numbersOf(line).length > 0)
    .map((line) => {
      const other = earlier.get(shapeOf(line))?.shift();
      return { line, ratios: other === undefined ? null : ratiosOf(numbersOf(line), numbersOf(other)) };
    });
}

const shapeOf = (line: string): string => line.replace(number, "#").replace(/\s+/g, " ").trim();

const numbersOf = (line: string): number[] =>
  [...line.matchAll(number)].map(([digits]) => Number(digits.replaceAll(",", "")));

/** Equal numbers are sizes and goals. */
function ratiosOf(now: readonly number[], then: readonly number[]): string[] {
  const pairs = now.map((value, index) => [value, then[index] ?? Number.NaN] as const);
  return pairs.filter(([a, b]) => a !== b).map(([a, b]) => (b === 0 ? "–" : (a / b).toFixed(2)));
}
