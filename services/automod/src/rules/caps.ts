const cased = /\p{Lu}|\p{Ll}/gu;
const capital = /\p{Lu}/gu;
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Whether a text has so many letters that have a case, and such a share of them are capitals. */
export function isShouted(text: string, { min_length, percent }: { min_length: number; percent: number }): boolean {
  const letters = count(text, cased);
  return letters >= min_length && count(text, capital) * 100 >= percent * letters;
}
