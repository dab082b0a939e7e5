import type { RequestOptions, SearchPage } from "@parley/client";
import { useCallback } from "react";
import { useLocation } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import { nameIn } from "../../state/people/names.js";
import { isBlocked } from "../../state/people/people.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Button } from "../../ui/look/button.js";
import { Highlight } from "./highlight.js";
import styles from "./search.module.css";
import { useFoundChanges } from "./use-found-changes.js";

/** A message that a search found. */
export type Found = SearchPage["results"][number];

/** Reads a page of results. */
export type FindPage = (words: string, cursor: { before?: string }, options: RequestOptions) => Promise<SearchPage>;

/** The results of a search, with buttons that lead there. */
export function SearchResults({
  serverId,
  find,
  query,
  pathOf,
  originOf,
  onChoose,
}: {
  /** Null for conversations. */
  serverId: string | null;
  find: FindPage;
  query: string;
  /** Path of the page that shows a message. */
  pathOf: (result: Found) => string;
  /** Where and when a message was written. */
  originOf: (result: Found) => string;
  onChoose: () => void;
}) {
  const labels = texts.search;
  const read = useCallback(
    (signal?: AbortSignal) => find(query, {}, signal === undefined ? {} : { signal }),
    [find, query],
  );
  const found = useData(read);
  useFoundChanges(found);
  const more = useAction((before: string) =>
    found.extend(async () => {
      const page = await find(query, { before }, {});
      return ({ results }) => ({ ...page, results: [...results, ...page.results] });
    }),
  );
  return (
    <AsyncContent data={found} shape="rows">
      {({ results, total, next_cursor: next }) => (
        <>
          <p role="status">{total === 0 ? labels.none : labels.found(total)}</p>
          {results.length === 0 ? <Empty>{labels.none}</Empty> : null}
          <ul className={styles.results}>
            {results.map((result) => (
              <Result
                key={result.id}
                result={result}
                serverId={serverId}
                path={pathOf(result)}
                origin={originOf(result)}
                onChoose={onChoose}
              />
            ))}
          </ul>
          <ErrorNote error={more.error} />
          {next === null ? null : (
            <Button kind="quiet" disabled={more.isBusy} onClick={() => more.run(next)}>
              {labels.more}
            </Button>
          )}
        </>
      )}
    </AsyncContent>
  );
}

function Result({
  result,
  serverId,
  path,
  origin,
  onChoose,
}: {
  result: Found;
  serverId: string | null;
  path: string;
  origin: string;
  onChoose: () => void;
}) {
  const [, navigate] = useLocation();
  const { author_id, author_username } = result;
  const author = useAppState((state) => (author_id === null ? undefined : nameIn(state, serverId, author_id)));
  const isFolded = useAppState((state) => isBlocked(state, author_id));
  return (
    <li>
      <button
        type="button"
        className={styles.result}
        onClick={() => {
          navigate(path);
          onChoose();
        }}
      >
        <span className={styles.origin}>
          <bdi className={styles.author}>{author ?? author_username ?? texts.search.author}</bdi>
          {` ${origin}`}
        </span>
        {isFolded ? texts.people.folded : <Highlight text={result.highlight} />}
      </button>
    </li>
  );
}
