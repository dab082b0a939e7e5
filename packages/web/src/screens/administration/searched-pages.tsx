import { type ReactNode, useCallback, useState } from "react";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty } from "../../ui/data/async-content.js";
import { type Data, useData } from "../../ui/data/use-data.js";
import { useDelayed } from "../../ui/data/use-delayed.js";
import { TextField } from "../../ui/forms/field.js";
import { PageButtons } from "../../ui/lists/page-buttons.js";
import { Rows } from "../../ui/lists/rows.js";

/** State of a paged list with search. */
export interface Searched<Found> {
  data: Data<Found>;
  search: string;
  setSearch: (search: string) => void;
  setPage: (page: number) => void;
}

/** @param read requests a page; must be memoised, as a new function makes a new request */
export function useSearched<Found>(
  read: (query: { page: number; search?: string }, options: { signal: AbortSignal }) => Promise<Found>,
): Searched<Found> {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const searched = useDelayed(search);
  const data = useData(
    useCallback(
      (signal: AbortSignal) => read({ page, ...(searched === "" ? {} : { search: searched }) }, { signal }),
      [read, page, searched],
    ),
  );
  const searchAnew = (text: string) => {
    setSearch(text);
    setPage(1);
  };
  return { data, search, setSearch: searchAnew, setPage };
}

/** A search field, a page of results and the links to other pages. */
export function SearchedPages<Item, Found extends { total: number; page: number; per_page: number }>({
  searched,
  labels,
  filters,
  itemsOf,
  children,
}: {
  searched: Searched<Found>;
  labels: { search: string; title: string; found: (count: number) => string };
  /** Further filters and the order. */
  filters?: ReactNode;
  itemsOf: (found: Found) => readonly Item[];
  /** Renders a row, with its key. */
  children: (item: Item) => ReactNode;
}) {
  return (
    <>
      <TextField
        label={labels.search}
        type="search"
        value={searched.search}
        onChange={(event) => searched.setSearch(event.currentTarget.value)}
      />
      {filters}
      <AsyncContent data={searched.data} shape="rows">
        {(found) => (
          <>
            <p role="status">{labels.found(found.total)}</p>
            {itemsOf(found).length === 0 ? <Empty>{texts.administration.nothing}</Empty> : null}
            <Rows label={labels.title}>{itemsOf(found).map(children)}</Rows>
            <PageButtons
              page={found.page}
              pages={Math.ceil(found.total / found.per_page)}
              onChange={searched.setPage}
            />
          </>
        )}
      </AsyncContent>
    </>
  );
}
