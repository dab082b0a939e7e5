/**
 * Queries of searches as people write them (docs/protocol/search.md#35.1).
 *
 * ```
 * query  = { blank | ["-"] term | filter }
 * term   = phrase | word
 * phrase = '"' { any but '"' } ( '"' | end )
 * filter = name ":" value            name in capitals or not
 * name   = from | mentions | in | server | has | before | after | on | is
 * value  = phrase | word             not empty
 * word   = a run of anything but blanks, which begins without '"'
 * ```
 *
 * Everything else that looks like a filter is a word: `http://example.org`, `12:30`, `from:`. Typographic quotes count as
 * plain ones.
 */

export const searchFilterNames = ["from", "mentions", "in", "server", "has", "before", "after", "on", "is"] as const;
export type SearchFilterName = (typeof searchFilterNames)[number];
/** The values of `has` and `is`. */
export const searchHas = ["link", "file", "image", "video", "audio", "poll", "embed"] as const;
export const searchIs = ["pinned", "thread", "saved", "edited", "bot"] as const;

/** A word or phrase that messages must have, or must not. */
export interface SearchTerm {
  text: string;
  isPhrase: boolean;
  isExcluded: boolean;
}

/** A filter as it was written; whether its value names anything is not known here. */
export interface SearchFilter {
  name: SearchFilterName;
  value: string;
}

/** The parts of a query, each kind in the order of writing. */
export interface ParsedQuery {
  terms: SearchTerm[];
  filters: SearchFilter[];
}

const filter = new RegExp(`^(${searchFilterNames.join("|")}):(?:"([^"]*)"?|([^\\s"]\\S*))`, "i");
const phrase = /^(-?)"([^"]*)"?/;
const word = /^(-?)(\S+)/;
const isFilterName = (name: string): name is SearchFilterName => searchFilterNames.some((known) => known === name);

export function parseSearchQuery(written: string): ParsedQuery {
  const terms: SearchTerm[] = [];
  const filters: SearchFilter[] = [];
  let rest = written.replace(/[\u201c-\u201f]/g, '"').trimStart();
  while (rest !== "") {
    const asFilter = filter.exec(rest);
    const name = asFilter?.[1]?.toLowerCase();
    const value = asFilter?.[2] ?? asFilter?.[3];
    const found = asFilter !== null && value?.trim() ? asFilter : (phrase.exec(rest) ?? word.exec(rest));
    if (found === null) break;
    if (found === asFilter && name !== undefined && isFilterName(name)) filters.push({ name, value: value ?? "" });
    else terms.push(...termOf(found));
    rest = rest.slice(found[0].length).trimStart();
  }
  return { terms, filters };
}

function termOf([all, sign = "", text = ""]: RegExpExecArray): SearchTerm[] {
  const isPhrase = all.startsWith(`${sign}"`);
  if (isPhrase && text.trim() === "") return [];
  // A sign alone is a word.
  if (!isPhrase && text === "") return [{ text: all, isPhrase, isExcluded: false }];
  return [{ text, isPhrase, isExcluded: sign !== "" }];
}

/** The query as text, which {@link parseSearchQuery} reads as the same query. */
export function printSearchQuery({ terms, filters }: ParsedQuery): string {
  return [
    ...terms.map(({ text, isPhrase, isExcluded }) => `${isExcluded ? "-" : ""}${isPhrase ? `"${text}"` : text}`),
    ...filters.map(printSearchFilter),
  ].join(" ");
}

export function printSearchFilter({ name, value }: SearchFilter): string {
  return `${name}:${/^[^\s"]\S*$/.test(value) ? value : `"${value}"`}`;
}
