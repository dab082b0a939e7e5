import { type KeyboardEvent, useState } from "react";
import { usePageState } from "../../state/use-page.js";
import { direction, texts } from "../../texts/texts.js";
import { emojiGroups, findEmoji, type PickedEmoji } from "./emoji.js";
import styles from "./emoji-picker.module.css";

const columns = 8;

/** A choice of emoji: those of the server, then the common ones. */
export function EmojiPicker({ serverId, onPick }: { serverId: string | null; onPick: (emoji: PickedEmoji) => void }) {
  const names = texts.conversation;
  const [search, setSearch] = useState("");
  const custom = usePageState((state) => (serverId === null ? undefined : state.emojis[serverId])) ?? [];
  const wanted = search.trim().toLowerCase();
  const customFound = custom.filter(({ name }) => name.includes(wanted));
  const groups =
    wanted === ""
      ? emojiGroups.map(({ id, emojis }) => ({ title: names.emojiGroups[id], emojis }))
      : [{ title: "", emojis: findEmoji(wanted, 64) }];
  const isEmpty = customFound.length === 0 && groups.every(({ emojis }) => emojis.length === 0);
  return (
    <section aria-label={names.emoji} onKeyDown={moveInGrid}>
      <input
        className={styles.search}
        type="search"
        aria-label={names.emojiSearch}
        placeholder={names.emojiSearch}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className={styles.scroll}>
        {customFound.length === 0 ? null : (
          <Group title={names.customEmojis}>
            {customFound.map(({ id, name, url }) => (
              <EmojiChoice
                key={id}
                name={`:${name}:`}
                onPick={() => onPick({ text: `:${name}:`, reaction: `c:${id}` })}
              >
                <img className={styles.image} src={url} alt="" loading="lazy" />
              </EmojiChoice>
            ))}
          </Group>
        )}
        {groups.map(({ title, emojis }) => (
          <Group key={title} title={title}>
            {emojis.map(([emoji, all]) => (
              <EmojiChoice
                key={emoji}
                name={all.split(" ")[0] ?? all}
                onPick={() => onPick({ text: emoji, reaction: emoji })}
              >
                {emoji}
              </EmojiChoice>
            ))}
          </Group>
        ))}
        {isEmpty ? <p className={styles.empty}>{names.noEmoji}</p> : null}
      </div>
    </section>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      {title === "" ? null : <h3 className={styles.title}>{title}</h3>}
      <div className={styles.grid}>{children}</div>
    </section>
  );
}

function EmojiChoice({ name, onPick, children }: { name: string; onPick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" data-emoji className={styles.emoji} aria-label={name} title={name} onClick={onPick}>
      {children}
    </button>
  );
}

/** Moves the focus through the emoji with the arrow keys. */
function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  const onward = direction === "ltr" ? 1 : -1;
  const step = { ArrowRight: onward, ArrowLeft: -onward, ArrowDown: columns, ArrowUp: -columns }[event.key];
  const isInSearch = event.target instanceof HTMLInputElement;
  if (step === undefined || (isInSearch && event.key !== "ArrowDown")) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-emoji]")];
  const index = event.target instanceof HTMLElement ? all.indexOf(event.target) : -1;
  const next = all[index === -1 ? 0 : index + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
