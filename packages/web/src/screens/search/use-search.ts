import type { SearchFindQuery } from "@parley/client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { recentSearchesFor } from "../../device/device-storage.js";
import { recentSearchesMax } from "../../device/schemas.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { useDelayed } from "../../ui/data/use-delayed.js";
import { emptyQuery, finish, requestOf, type SearchQuery, takeFilters } from "./query.js";
import { type Answer, useFoundChanges } from "./use-found-changes.js";

export const sorts = ["new", "old", "relevant"] as const;
type Sort = (typeof sorts)[number];

const pageSize = 25;
const restMs = 250;
/** After which time a search counts as slow. */
const slowMs = 2_000;
const nothing: Answer = { key: "", page: null, error: null };

/** The search of the dialog: the query, its results, and the searches of before. */
export function useSearch() {
  const { client } = useApp();
  const [query, setQuery] = useState(emptyQuery);
  const [asked, setAsked] = useState(emptyQuery);
  const [sort, setSort] = useState<Sort>("new");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(query), restMs);
    return () => clearTimeout(timer);
  }, [query]);
  const key = keyOf(requestOf(asked), sort);
  const read = useCallback(
    async (signal: AbortSignal): Promise<Answer> => {
      const request = requestIn(key);
      if (request === null) return nothing;
      try {
        return { key, page: await client.search.find(request, { signal }), error: null };
      } catch (error) {
        return { key, page: null, error };
      }
    },
    [client, key],
  );
  const found = useData(read);
  useFoundChanges(found);
  const more = useAction((before: string) =>
    found.extend(async () => {
      const next = await client.search.find({ ...requestIn(key), before });
      return (answer) =>
        answer.page === null
          ? answer
          : { ...answer, page: { ...next, results: [...answer.page.results, ...next.results] } };
    }),
  );
  const { recent, remember } = useRecent();
  const isReading = key !== "" && found.value?.key !== key;
  const isLate = useDelayed(isReading, slowMs);
  return {
    query,
    /** Changes the query: filters that are complete become chips. */
    change: useCallback((next: SearchQuery) => setQuery(takeFilters(next)), []),
    /** Asks at once, with the filter that is being typed. */
    submit() {
      const done = finish(query);
      setQuery(done);
      setAsked(done);
      remember(done);
    },
    sort,
    setSort,
    /** The answer to the last query; of the one before while it is awaited. Null without a query. */
    answer: key === "" ? null : found.value === nothing ? null : found.value,
    isAsked: key !== "",
    isReading,
    isSlow: isReading && isLate,
    again: found.reload,
    more,
    recent,
    remember: () => remember(finish(query)),
  };
}

export type Search = ReturnType<typeof useSearch>;

const keyOf = (request: SearchFindQuery | null, sort: Sort): string =>
  request === null ? "" : JSON.stringify({ ...request, sort, limit: pageSize });
const requestIn = (key: string): SearchFindQuery | null => (key === "" ? null : JSON.parse(key));

/** The last searches of the account on this device. */
function useRecent() {
  const userId = useAppState(({ me }) => me?.id ?? "");
  const entry = useMemo(() => recentSearchesFor(userId), [userId]);
  const [recent, setRecent] = useState(entry.read);
  const remember = (search: SearchQuery) => {
    const { chips, text } = search;
    if (requestOf(search) === null) return;
    const same = JSON.stringify({ chips, text: text.trim() });
    const others = entry.read().filter((each) => JSON.stringify({ chips: each.chips, text: each.text }) !== same);
    const next = [{ chips, text: text.trim() }, ...others].slice(0, recentSearchesMax);
    entry.write(next);
    setRecent(next);
  };
  return { recent, remember };
}
