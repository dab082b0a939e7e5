import { ParleyError } from "@parley/client";
import { useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { Empty, ErrorNote } from "../../ui/data/async-content.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { Chips } from "../../ui/forms/chips.js";
import { useListbox } from "../../ui/forms/use-listbox.js";
import { Button } from "../../ui/look/button.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { useFocusRequest } from "../conversation/focus-request.js";
import { type Found, groupsOf, pathOf } from "./result-groups.js";
import styles from "./search.module.css";
import { FilterButtons, SearchField } from "./search-field.js";
import { SearchList } from "./search-list.js";
import { useCompletions } from "./use-completions.js";
import { type Search, sorts, useSearch } from "./use-search.js";

/**
 * Searches everything that the user may read. It stays while the user is at a result, so that they come back to the same
 * list.
 */
export function SearchDialog({
  isOpen,
  onClose,
  onLeave,
}: {
  isOpen: boolean;
  onClose: () => void;
  onLeave: () => void;
}) {
  const search = useSearch();
  const { query, answer } = search;
  const [, navigate] = useLocation();
  const askFocus = useFocusRequest(({ ask }) => ask);
  const servers = useAppState((state) => state.servers);
  const dmChannels = useAppState((state) => state.dmChannels);
  const results = answer?.page?.results;
  const groups = useMemo(() => groupsOf(results ?? [], { servers, dmChannels }), [results, servers, dmChannels]);
  const completions = useCompletions(query, search.recent);
  const field = useRef<HTMLInputElement>(null);
  const scroll = useRef(0);
  const listed = groups.flatMap((group) => group.results);
  const go = (found: Found) => {
    search.remember();
    navigate(pathOf(found));
    if (found.thread_root_id === null) askFocus(found.message.id);
    onLeave();
  };
  const pick = (index: number) => {
    const completion = completions[index];
    const found = listed[index - completions.length];
    if (completion !== undefined) search.change(completion.next);
    else if (found !== undefined) go(found);
    if (completion !== undefined) field.current?.focus();
  };
  const listbox = useListbox({
    count: completions.length + listed.length,
    subject: JSON.stringify(query),
    first: completions[0]?.isFirst === true ? 0 : -1,
    onPick: pick,
  });
  const change: typeof search.change = (next) => {
    scroll.current = 0;
    search.change(next);
    field.current?.focus();
  };
  const refused = answer?.error instanceof ParleyError ? answer.error.details : {};
  return (
    <Dialog open={isOpen} onOpenChange={onClose} title={texts.search.title} wide>
      <SearchField
        query={query}
        invalid={refused}
        listbox={listbox}
        field={field}
        onChange={change}
        onSubmit={search.submit}
      />
      <FilterButtons query={query} onChange={change} />
      {search.isAsked ? (
        <Chips
          label={texts.search.sort}
          choices={sorts.map((value) => ({ value, label: texts.search.sorts[value] }))}
          value={search.sort}
          onChoose={search.setSort}
        />
      ) : null}
      <Status search={search} />
      <SearchList
        completions={completions}
        groups={groups}
        listbox={listbox}
        isReading={search.isReading}
        scroll={scroll}
      />
      {search.isReading && answer === null ? <Skeleton shape="rows" /> : null}
      {answer?.error == null ? null : <Refusal search={search} error={answer.error} />}
      <More search={search} />
    </Dialog>
  );
}

/** How many messages were found, or what there is to do. */
function Status({ search: { answer, isAsked, isSlow } }: { search: Search }) {
  const labels = texts.search;
  const page = answer?.page ?? null;
  const found =
    page === null || page.total === 0
      ? null
      : page.total_is_exact
        ? labels.found(page.total)
        : labels.foundMore(page.total);
  return (
    <>
      <p role="status" className={styles.status}>
        {isSlow ? labels.slow : page?.total === 0 ? labels.none : found}
      </p>
      {isAsked ? null : <Empty>{labels.begin}</Empty>}
    </>
  );
}

/** Why there are no results; for a name that nobody has, the ones that look like it. */
function Refusal({ search: { query, change, again }, error }: { search: Search; error: unknown }) {
  const labels = texts.search;
  const { filter, value, suggestions = [] } = error instanceof ParleyError ? error.details : {};
  const isFinal = error instanceof ParleyError && error.final;
  const replace = (name: string) =>
    change({
      ...query,
      chips: query.chips.map((chip) =>
        chip.name === filter && chip.value === value ? { ...chip, value: name, id: null } : chip,
      ),
    });
  return (
    <>
      <ErrorNote error={errorText(error)} />
      {suggestions.length === 0 ? null : (
        <p className={styles.meant}>
          {labels.meant}
          {suggestions.map((name) => (
            <Button key={name} kind="quiet" onClick={() => replace(name)}>
              <bdi>{name}</bdi>
            </Button>
          ))}
        </p>
      )}
      {isFinal ? null : (
        <Button kind="quiet" onClick={again}>
          {texts.common.retry}
        </Button>
      )}
    </>
  );
}

function More({ search: { answer, isReading, more } }: { search: Search }) {
  const next = answer?.page?.next ?? null;
  return (
    <>
      <ErrorNote error={more.error} />
      {next === null ? null : (
        <Button kind="quiet" disabled={more.isBusy || isReading} onClick={() => more.run(next)}>
          {texts.search.more}
        </Button>
      )}
    </>
  );
}
