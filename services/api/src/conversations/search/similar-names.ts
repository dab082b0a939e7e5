/**
 * A name as it is compared: without case, accents, and the sign that people write before it. By way of capitals `ß` is `ss`, and
 * the two small sigmas are one.
 */
export const foldName = (name: string): string =>
  name.trim().replace(/^[#@]/, "").normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();

/** Suggestions for a name that nothing has, at most. */
export const suggestionsMax = 5;

/** The names that look most like a written one: those that have it in them, then those with the fewest other pairs of letters. */
export function similarNames(written: string, names: readonly string[]): string[] {
  const wanted = foldName(written);
  const pairs = pairsOf(wanted);
  const likeness = (name: string) => {
    const folded = foldName(name);
    if (wanted !== "" && folded.includes(wanted)) return 1 + wanted.length / folded.length;
    const others = pairsOf(folded);
    const shared = [...pairs].filter((pair) => others.has(pair)).length;
    return (2 * shared) / (pairs.size + others.size);
  };
  return [...new Set(names)]
    .map((name) => ({ name, likeness: likeness(name) }))
    .filter(({ likeness }) => likeness > 0.25)
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, suggestionsMax)
    .map(({ name }) => name);
}

/** The ends count as characters, so that short names and beginnings have pairs. */
const pairsOf = (text: string) => new Set(Array.from(`^${text}$`, (_, index) => `^${text}$`.slice(index, index + 2)));
