import { dateSpan, type SearchFilterName, searchFilterNames, searchHas, searchIs } from "@parley/contracts";
import { formats, texts } from "../../texts/texts.js";
import { matchTargets, type Target } from "../quick-switcher/targets.js";
import type { ShownSuggestion } from "../suggestions/suggestion-list.js";
import { type PendingFilter, pendingFilter, type SearchChip, type SearchQuery, withChip } from "./query.js";

/** A completion of what stands in the field, or a search of before. */
export interface Completion extends ShownSuggestion {
  next: SearchQuery;
  /** Whether Enter takes it without a choice by the arrows: only where the person is typing a filter. */
  isFirst: boolean;
}

/** Somebody whom a filter may name. */
export interface KnownPerson {
  id: string;
  username: string;
  name: string;
  avatarUrl: string | null;
}

/** What completions choose from. */
export interface CompletionSource {
  targets: readonly Target[];
  people: readonly KnownPerson[];
  /** The open channel or conversation, and its server. */
  here: readonly SearchChip[];
  recent: readonly SearchQuery[];
  now: Date;
  timeZone: string;
}

const shownMax = 8;
const dates = ["today", "yesterday", "7d", "1m", "1y"] as const;

/** How a chip reads: the filter in the reader's language, and its value. */
export function chipLabel({ name, value }: Pick<SearchChip, "name" | "value">): string {
  return texts.search.chip(texts.search.filters[name], valueLabel(name, value));
}

/** A search of before, as it reads. */
export const queryLabel = ({ chips, text }: SearchQuery): string =>
  [text.trim(), ...chips.map(chipLabel)].filter((part) => part !== "").join(" · ");

/** The completions of a search, the best first. */
export function completionsOf(query: SearchQuery, source: CompletionSource): Completion[] {
  const pending = pendingFilter(query.text);
  if (pending !== null) {
    return valuesOf(pending, source)
      .slice(0, shownMax)
      .map(({ value, id, ...shown }) => ({
        ...shown,
        next: withChip(query, { name: pending.name, value, id }),
        isFirst: pending.value !== "",
      }));
  }
  if (query.text === "" && query.chips.length === 0) return beginnings(source);
  const [word = ""] = /(?:^|(?<=\s))[a-z]{2,}$/i.exec(query.text) ?? [];
  return word === "" ? [] : filtersOf(query, word.toLowerCase());
}

/** What a search may begin with: the open place, and searches of before. */
const beginnings = ({ here, recent }: CompletionSource): Completion[] => [
  ...here.map((chip) => ({
    key: `here ${chip.name}`,
    label: chipLabel(chip),
    note: texts.search.here[chip.name === "server" ? "server" : "channel"],
    next: { chips: [chip], text: "" },
    isFirst: false,
  })),
  ...recent.map((next) => ({
    ...{ key: JSON.stringify(next), label: queryLabel(next), note: texts.search.recent },
    ...{ next, isFirst: false },
  })),
];

const filtersOf = ({ chips, text }: SearchQuery, word: string): Completion[] =>
  searchFilterNames
    .filter((name) => name.startsWith(word))
    .map((name) => ({
      ...{ key: name, label: `${name}:`, note: texts.search.filters[name], isFirst: false },
      next: { chips, text: `${text.slice(0, text.length - word.length)}${name}:` },
    }));

type Value = ShownSuggestion & Pick<SearchChip, "value" | "id">;

function valuesOf({ name, value }: PendingFilter, source: CompletionSource): Value[] {
  switch (name) {
    case "from":
    case "mentions":
      return peopleOf(value, source.people);
    case "in":
      return placesOf(value, source.targets, ["channel", "voice", "person"]);
    case "server":
      return placesOf(value, source.targets, ["server"]);
    case "has":
      return wordsOf(name, value, searchHas);
    case "is":
      return wordsOf(name, value, searchIs);
    default:
      return datesOf(name, value, source);
  }
}

function peopleOf(typed: string, people: readonly KnownPerson[]): Value[] {
  const letters = typed.replace(/^@/, "").toLowerCase();
  return people
    .filter(({ username, name }) => [username, name].some((each) => each.toLowerCase().startsWith(letters)))
    .sort((a, b) => a.username.localeCompare(b.username))
    .map(({ id, username, name, avatarUrl }) => ({
      ...{ key: id, id, value: username, label: name, avatar: { name: username, url: avatarUrl } },
      ...(name === username ? {} : { note: username }),
    }));
}

const placesOf = (typed: string, targets: readonly Target[], kinds: readonly Target["kind"][]): Value[] =>
  matchTargets(
    targets.filter(({ kind }) => kinds.includes(kind)),
    typed.replace(/^#/, ""),
  ).map(({ id, name, detail }) => ({
    ...{ key: id, id, value: name, label: name },
    ...(detail === null ? {} : { note: detail }),
  }));

const wordsOf = (name: SearchFilterName, typed: string, words: readonly string[]): Value[] =>
  words
    .map((value) => ({ ...{ key: value, id: null, value }, label: valueLabel(name, value), note: value }))
    .filter(({ label, value }) => [label, value].some((each) => each.toLowerCase().startsWith(typed.toLowerCase())));

/** The usual days, and the months of this year, or the day that was typed. */
function datesOf(name: SearchFilterName, typed: string, { now, timeZone }: CompletionSource): Value[] {
  const months = Array.from(
    { length: now.getUTCMonth() + 1 },
    (_, index) => `${now.getUTCFullYear()}-${String(index + 1).padStart(2, "0")}`,
  ).reverse();
  return [...new Set([typed.toLowerCase(), ...dates, ...months])].flatMap((value) => {
    const span = value.startsWith(typed.toLowerCase()) ? dateSpan(value, { now, timeZone }) : null;
    if (span === null) return [];
    const [first, last] = [span.start, new Date(span.end.getTime() - 1)].map((at) => formats.day(at.toISOString()));
    const days = first === last ? first : `${first} – ${last}`;
    return [{ ...{ key: value, id: null, value }, label: valueLabel(name, value), note: days ?? "" }];
  });
}

/** A value in the reader's language, where it is a word of the grammar. */
function valueLabel(name: SearchFilterName, value: string): string {
  const { has, is, dates: days } = texts.search;
  const known: Readonly<Record<string, string>> =
    name === "has" ? has : name === "is" ? is : name === "before" || name === "after" || name === "on" ? days : {};
  return Object.hasOwn(known, value) ? (known[value] ?? value) : value;
}
