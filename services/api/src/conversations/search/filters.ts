import {
  type DateSpan,
  dateSpan,
  errorTexts,
  invalidInput,
  type SearchFilter,
  type SearchFilterName,
  ServiceError,
  searchHas,
  searchIs,
} from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { findKnown, findNamed, findSimilar, type Person, type Viewer } from "./people-repository.js";
import type { Place, Places } from "./places-repository.js";
import { foldName, similarNames, suggestionsMax } from "./similar-names.js";

/** Filters as ids and instants; null where there is none of the kind, so that nothing is left out. */
export interface ResolvedFilters {
  from: readonly Named[] | null;
  mentions: readonly Named[] | null;
  /** The channels that are searched. */
  channels: readonly Place[];
  direct: readonly Place[];
  in: readonly Named[] | null;
  server: readonly Named[] | null;
  has: readonly (typeof searchHas)[number][];
  is: readonly (typeof searchIs)[number][];
  /** The first instant that counts, and the first one that does not any more. */
  since: Date | null;
  until: Date | null;
}

/** Filters that programs have, as their parameters are called. */
export interface ProgramFilters {
  author_type?: readonly string[] | undefined;
  without?: readonly string[] | undefined;
  /** Ids of messages, or ones between theirs. */
  newer_than?: string | undefined;
  older_than?: string | undefined;
}

/** Somebody or something by its id; without a name where the caller does not know of it. */
export interface Named {
  id: string;
  name: string | null;
}

/** Ids that a request gives beside the query. */
export type FilterIds = Partial<Record<"from" | "mentions" | "in" | "server", readonly string[] | undefined>>;

/** Of everything nothing is a search, and neither are signs alone. */
export function isWithoutFilters(filters: readonly SearchFilter[], beside: FilterIds & ProgramFilters): boolean {
  const { from, mentions, in: within, server, author_type, without, newer_than, older_than } = beside;
  const given = [from, mentions, within, server, author_type, without, newer_than, older_than];
  return filters.length === 0 && given.every((each) => each === undefined);
}

interface Context {
  connection: Queryable;
  userId: string;
  places: Places;
  timeZone: string;
}

/**
 * Finds what the filters of a query name.
 *
 * @throws ServiceError 400 for a filter that names nobody and nothing, and for a date that is none
 */
export async function resolveFilters(
  context: Context,
  filters: readonly SearchFilter[],
  ids: FilterIds,
): Promise<ResolvedFilters> {
  const { places } = context;
  const valuesOf = (name: SearchFilterName) => filters.filter((each) => each.name === name).map(({ value }) => value);
  const from = await peopleOf(context, "from", valuesOf("from"), ids.from);
  const mentions = await peopleOf(context, "mentions", valuesOf("mentions"), ids.mentions);
  const all = [...places.channels, ...places.direct];
  const within = placesOf("in", valuesOf("in"), ids.in, all);
  const servers = placesOf("server", valuesOf("server"), ids.server, places.servers.map(asPlace));
  const [inIds, serverIds] = [within?.map(({ id }) => id), servers?.map(({ id }) => id)];
  const isSearched = ({ id, serverId }: Place) =>
    (inIds === undefined || inIds.includes(id)) &&
    (serverIds === undefined || (serverId !== null && serverIds.includes(serverId)));
  const dates = (name: "before" | "after" | "on") => valuesOf(name).map((value) => readDate(value, context.timeZone));
  const on = dates("on");
  return {
    ...{ from, mentions, in: within ?? null, server: servers ?? null },
    channels: places.channels.filter(isSearched),
    direct: places.direct.filter(isSearched),
    has: valuesOf("has").map((value) => oneOf("has", value, searchHas)),
    is: valuesOf("is").map((value) => oneOf("is", value, searchIs)),
    since: latest([...dates("after").map(({ end }) => end), ...on.map(({ start }) => start)]),
    until: earliest([...dates("before").map(({ start }) => start), ...on.map(({ end }) => end)]),
  };
}

const asPlace = ({ id, name }: { id: string; name: string }): Place => ({ id, name, aliases: [], serverId: id });
const latest = (dates: Date[]) => (dates.length === 0 ? null : new Date(Math.max(...dates.map(Number))));
const earliest = (dates: Date[]) => (dates.length === 0 ? null : new Date(Math.min(...dates.map(Number))));

function readDate(value: string, timeZone: string): DateSpan {
  const span = dateSpan(value, { now: new Date(), timeZone });
  if (span === null) throw invalidInput(errorTexts.not_a_date(value));
  return span;
}

function oneOf<T extends string>(filter: SearchFilterName, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value.toLowerCase());
  if (found === undefined) throw nothingCalled(filter, value, [...similarNames(value, known), ...known]);
  return found;
}

function placesOf(
  filter: "in" | "server",
  values: readonly string[],
  ids: readonly string[] | undefined,
  places: readonly Place[],
): Named[] | undefined {
  if (values.length === 0 && ids === undefined) return undefined;
  const byId = (ids ?? []).map((id) => ({ id, name: places.find((place) => place.id === id)?.name ?? null }));
  const byName = values.flatMap((value) => {
    const wanted = foldName(value);
    const found = places.filter(
      ({ id, name, aliases }) => id === wanted || [name ?? "", ...aliases].some((each) => foldName(each) === wanted),
    );
    if (found.length === 0) {
      throw nothingCalled(
        filter,
        value,
        similarNames(
          value,
          places.flatMap(({ name, aliases }) => [name ?? [], aliases].flat()),
        ),
      );
    }
    return found.map(({ id, name }) => ({ id, name }));
  });
  return [...byId, ...byName];
}

/** `me` is the caller, unless somebody has that name. */
async function peopleOf(
  { connection, userId, places }: Context,
  filter: "from" | "mentions",
  values: readonly string[],
  ids: readonly string[] | undefined,
): Promise<Named[] | null> {
  if (values.length === 0 && ids === undefined) return null;
  const viewer: Viewer = { userId, channelIds: places.channels.map(({ id }) => id) };
  const found: Named[] = [];
  if (ids !== undefined) {
    const known = new Map((await findKnown(connection, viewer, ids)).map((person) => [person.id, person.username]));
    found.push(...ids.map((id) => ({ id, name: known.get(id) ?? null })));
  }
  for (const value of values) {
    const name = value.replace(/^@/, "");
    let people: Person[] = await findNamed(connection, viewer, name);
    if (people.length === 0 && name.toLowerCase() === "me") people = await findKnown(connection, viewer, [userId]);
    if (people.length === 0) {
      throw nothingCalled(filter, value, await findSimilar(connection, viewer, name, suggestionsMax));
    }
    found.push(...people.map(({ id, username }) => ({ id, name: username })));
  }
  return found;
}

function nothingCalled(filter: SearchFilterName, value: string, suggestions: readonly string[]): ServiceError {
  const details = { filter, value, suggestions: [...new Set(suggestions)].slice(0, suggestionsMax) };
  return new ServiceError("invalid_input", errorTexts.nothing_called(value), { details });
}
