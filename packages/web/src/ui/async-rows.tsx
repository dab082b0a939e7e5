import type { ReactNode } from "react";
import { AsyncContent, Empty, ErrorNote } from "./async-content.js";
import { Button } from "./button.js";
import { Rows } from "./rows.js";
import type { Action } from "./use-action.js";
import type { Data } from "./use-data.js";

/** A list that was read, a row for each item; `empty` stands where there is none. */
export function AsyncRows<Item>({
  data,
  label,
  empty,
  more,
  children,
}: {
  data: Data<Item[]>;
  label: string;
  empty: string;
  /** How the items after the last one are read, for a list in pages. */
  more?: { label: string; pageSize: number; action: Action<[last: Item]> };
  /** A row with its key. */
  children: (item: Item) => ReactNode;
}) {
  return (
    <AsyncContent data={data} shape="rows">
      {(items) => {
        const last = items.at(-1);
        if (last === undefined) return <Empty>{empty}</Empty>;
        return (
          <>
            <Rows label={label}>{items.map(children)}</Rows>
            <ErrorNote error={more?.action.error ?? null} />
            {more !== undefined && items.length % more.pageSize === 0 ? (
              <Button kind="quiet" disabled={more.action.isBusy} onClick={() => more.action.run(last)}>
                {more.label}
              </Button>
            ) : null}
          </>
        );
      }}
    </AsyncContent>
  );
}
