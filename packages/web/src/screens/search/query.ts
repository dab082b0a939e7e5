import type { SearchFindQuery } from "@parley/client";
import {
  parseSearchQuery,
  printSearchFilter,
  printSearchQuery,
  type SearchFilterName,
  searchFilterNames,
} from "@parley/contracts";

/** A filter of a search that is complete. */
export interface SearchChip {
  readonly name: SearchFilterName;
  /** As it is written: `ann`, `general`, `2026-11`. */
  readonly value: string;
  /** Of the person or place that was chosen; null for all of the name. */
  readonly id: string | null;
}

/** A search: its filters, and what else stands in its field. */
export interface SearchQuery {
  readonly chips: readonly SearchChip[];
  readonly text: string;
}

export const emptyQuery: SearchQuery = { chips: [], text: "" };

/** The filter at the end of the field whose value is being typed. */
export interface PendingFilter {
  readonly name: SearchFilterName;
  readonly value: string;
  /** Where it begins in the text. */
  readonly start: number;
}

const pending = new RegExp(`(?:^|\\s)((${searchFilterNames.join("|")}):("[^"]*|[^\\s"]*))$`, "i");

/** Finds the filter at the end of a text. */
export function pendingFilter(text: string): PendingFilter | null {
  const [, all = "", written = "", value = ""] = pending.exec(text) ?? [];
  const name = searchFilterNames.find((known) => known === written.toLowerCase());
  return name === undefined ? null : { name, value: value.replace(/^"/, ""), start: text.length - all.length };
}

const beforePending = (text: string): string => text.slice(0, pendingFilter(text)?.start ?? text.length);

/** Makes chips of the filters in the field; the one that is being typed stays. */
export function takeFilters({ chips, text }: SearchQuery): SearchQuery {
  const rest = beforePending(text);
  const { terms, filters } = parseSearchQuery(rest);
  if (filters.length === 0) return { chips, text };
  const words = printSearchQuery({ terms, filters: [] });
  const gap = words === "" ? "" : " ";
  return {
    chips: [...chips, ...filters.map(({ name, value }) => ({ name, value, id: null }))].reduce(addOnce, []),
    text: words + gap + text.slice(rest.length),
  };
}

/** The same with the filter that is being typed, once the person is done with it. */
export const finish = ({ chips, text }: SearchQuery): SearchQuery =>
  pendingFilter(text)?.value
    ? takeFilters({ chips, text: `${text}${/:"[^"]*$/.test(text) ? '"' : ""} ` })
    : { chips, text };

/** Puts a chip in the place of the filter that is being typed. */
export const withChip = ({ chips, text }: SearchQuery, chip: SearchChip): SearchQuery => ({
  chips: addOnce(chips, chip),
  text: beforePending(text),
});

const addOnce = (chips: readonly SearchChip[], chip: SearchChip): readonly SearchChip[] =>
  chips.some(({ name, value, id }) => name === chip.name && value === chip.value && id === chip.id)
    ? chips
    : [...chips, chip];

/** The filters whose values the request may name by ids. */
const byId = ["from", "mentions", "in", "server"] as const;

/** The request of a search; null for a search for nothing. A filter that is being typed is not part of it. */
export function requestOf({ chips, text }: SearchQuery): SearchFindQuery | null {
  const words = beforePending(text).trim();
  if (chips.length === 0 && words === "") return null;
  const written = chips.filter(({ id }) => id === null).map(printSearchFilter);
  const ids = byId.map((name) => [name, chips.flatMap((chip) => (chip.name === name ? (chip.id ?? []) : []))] as const);
  return {
    q: [words, ...written].filter((part) => part !== "").join(" "),
    ...Object.fromEntries(ids.filter(([, list]) => list.length > 0).map(([name, list]) => [name, list.join(",")])),
  };
}
