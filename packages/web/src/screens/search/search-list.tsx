import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { useAppState } from "../../state/app/use-app.js";
import { nameIn } from "../../state/people/names.js";
import { isBlocked } from "../../state/people/people.js";
import { texts } from "../../texts/texts.js";
import type { Listbox } from "../../ui/forms/use-listbox.js";
import { Avatar } from "../../ui/look/avatar.js";
import { showTime } from "../../ui/look/show.js";
import type { Completion } from "./completions.js";
import { Excerpt } from "./excerpt.js";
import { type Found, type ResultGroup, serverOf } from "./result-groups.js";
import styles from "./search.module.css";

/**
 * The list below the field: completions, then results by server and conversation. The field keeps the focus.
 *
 * @param props.scroll how far it is scrolled, which outlives the list
 */
export function SearchList({
  completions,
  groups,
  listbox,
  isReading,
  scroll,
}: {
  completions: readonly Completion[];
  groups: readonly ResultGroup[];
  listbox: Listbox;
  isReading: boolean;
  scroll: RefObject<number>;
}) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = scroll.current;
  }, [scroll]);
  let index = completions.length;
  return (
    <div
      ref={list}
      {...listbox.list}
      role="listbox"
      aria-label={texts.search.results}
      aria-busy={isReading}
      className={styles.list}
      onScroll={({ currentTarget }) => {
        scroll.current = currentTarget.scrollTop;
      }}
    >
      {completions.length === 0 ? null : (
        <fieldset className={styles.completions}>
          <legend className="visually-hidden">{texts.conversation.suggestions}</legend>
          {completions.map((completion, at) => (
            <Option key={completion.key} listbox={listbox} index={at} className={styles.completion}>
              {completion.avatar === undefined ? null : <Avatar {...completion.avatar} size={24} />}
              <bdi className={styles.label}>{completion.label}</bdi>
              {completion.note === undefined ? null : (
                <span className={styles.note}>
                  <bdi>{completion.note}</bdi>
                </span>
              )}
            </Option>
          ))}
        </fieldset>
      )}
      {groups.map(({ id, name, results }) => (
        <Group key={id} name={name}>
          {results.map((found) => (
            <Option key={found.message.id} listbox={listbox} index={index++} className={styles.result}>
              <Result found={found} />
            </Option>
          ))}
        </Group>
      ))}
    </div>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>
        <bdi>{name}</bdi>
      </legend>
      {children}
    </fieldset>
  );
}

function Option({
  listbox,
  index,
  className,
  children,
}: {
  listbox: Listbox;
  index: number;
  className: string | undefined;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and its keys.
    <div
      {...listbox.option(index)}
      role="option"
      tabIndex={-1}
      className={className}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => listbox.pick(index)}
    >
      {children}
    </div>
  );
}

/** Who wrote a message where and when, and its words around the first match. */
function Result({ found }: { found: Found }) {
  const labels = texts.search;
  const { message, channel_name, ranges, thread_root_id } = found;
  const serverId = serverOf(found);
  const { author_id, author, created_at } = message;
  const name = useAppState((state) => (author_id === null ? undefined : nameIn(state, serverId, author_id)));
  const isFolded = useAppState((state) => isBlocked(state, author_id));
  const time = showTime(created_at);
  return (
    <>
      <span className={styles.origin}>
        <bdi className={styles.author}>{name ?? author?.display_name ?? author?.username ?? labels.author}</bdi>
        {` ${serverId === null ? time : labels.in(channel_name ?? "", time)}`}
        {thread_root_id === null ? "" : ` · ${labels.inThread}`}
      </span>
      {isFolded ? (
        texts.people.folded
      ) : message.content === "" ? (
        texts.inbox.withoutText
      ) : (
        <Excerpt content={message.content} ranges={ranges} />
      )}
    </>
  );
}
