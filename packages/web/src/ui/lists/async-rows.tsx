import type { ReactNode } from "react";
import { AsyncContent, Empty, ErrorNote } from "../data/async-content.js";
import type { Action } from "../data/use-action.js";
import type { Data } from "../data/use-data.js";
import { Button } from "../look/button.js";
import { Rows } from "./rows.js";

interface ListProps<Item> {
  label: string;
  /** The note in the place of an empty list. */
  empty: string;
  /** How the items after the last one are read, while there may be some. */
  more?: { label: string; action: Action<[last: Item]> };
  /** A row with its key. */
  children: (item: Item) => ReactNode;
}

/** A list with a row for each item. */
export function ListRows<Item>({ items, label, empty, more, children }: ListProps<Item> & { items: readonly Item[] }) {
  const last = items.at(-1);
  if (last === undefined) return <Empty>{empty}</Empty>;
  return (
    <>
      <Rows label={label}>{items.map(children)}</Rows>
      <ErrorNote error={more?.action.error ?? null} />
      {more === undefined ? null : (
        <Button kind="quiet" disabled={more.action.isBusy} onClick={() => more.action.run(last)}>
          {more.label}
        </Button>
      )}
    </>
  );
}

/** {@link ListRows} of read data; in pages, a full one may have others after it. */
export function AsyncRows<Item>({
  data,
  more,
  ...list
}: Omit<ListProps<Item>, "more"> & {
  data: Data<Item[]>;
  more?: { label: string; action: Action<[last: Item]>; pageSize: number };
}) {
  return (
    <AsyncContent data={data} shape="rows">
      {(items) => (
        <ListRows
          {...list}
          items={items}
          {...(more !== undefined && items.length % more.pageSize === 0 ? { more } : {})}
        />
      )}
    </AsyncContent>
  );
}
