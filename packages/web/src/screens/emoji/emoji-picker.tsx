import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { texts } from "../../texts/texts.js";
import { useMedia } from "../../ui/look/use-media.js";
import { type PickedEmoji, pickedOf } from "./custom-emojis.js";
import { EmojiGrid, type EmojiGridHandle } from "./emoji-grid.js";
import styles from "./emoji-picker.module.css";
import type { Emoji, UnicodeEmoji } from "./emoji-set.js";
import { SectionBar } from "./section-bar.js";
import { type SectionId, useSections } from "./sections.js";
import { ToneButton, ToneChoice } from "./tone-choice.js";
import { useEmojiSettings } from "./use-emoji-settings.js";

export interface EmojiPickerProps {
  /** Null in direct messages. */
  serverId: string | null;
  onPick: (emoji: PickedEmoji) => void;
}

/** A choice of emoji: the recently used ones, those of the server, then all of Unicode. */
export function EmojiPicker({
  serverId,
  onPick,
  emojis,
}: EmojiPickerProps & {
  emojis: readonly UnicodeEmoji[];
}) {
  const labels = texts.conversation;
  const { tone, uses, setTone, count } = useEmojiSettings();
  const [search, setSearch] = useState("");
  const [isToneOpen, setToneOpen] = useState(false);
  const [current, setCurrent] = useState<SectionId | null>(null);
  const field = useFirstFocus();
  const toneButton = useRef<HTMLButtonElement>(null);
  const grid = useRef<EmojiGridHandle>(null);
  const sections = useSections(serverId, emojis, uses, search);
  const pick = (emoji: Emoji) => {
    count(emoji.sign);
    onPick(pickedOf(emoji, tone));
  };
  const first = sections[0]?.emojis[0];
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") grid.current?.focus();
    else if (event.key === "Enter" && search.trim() !== "" && first !== undefined) pick(first);
    else return;
    event.preventDefault();
  };
  return (
    <section aria-label={labels.emoji} className={styles.picker}>
      <div className={styles.top}>
        <input
          ref={field}
          className={styles.search}
          type="search"
          aria-label={labels.emojiSearch}
          placeholder={labels.emojiSearch}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={onKey}
        />
        <ToneButton ref={toneButton} tone={tone} isOpen={isToneOpen} onPress={() => setToneOpen(!isToneOpen)} />
      </div>
      {isToneOpen ? (
        <ToneChoice
          tone={tone}
          onChoose={(chosen) => {
            setTone(chosen);
            setToneOpen(false);
            toneButton.current?.focus();
          }}
        />
      ) : search.trim() === "" ? (
        <SectionBar sections={sections} current={current} onChoose={(id) => grid.current?.show(id)} />
      ) : null}
      {first === undefined ? null : (
        <EmojiGrid
          ref={grid}
          sections={sections}
          tone={tone}
          onPick={pick}
          onSection={setCurrent}
          onLeave={() => field.current?.focus()}
        />
      )}
      <p role="status" className={first === undefined ? styles.empty : "visually-hidden"}>
        {search.trim() === "" ? null : labels.emojisFound(sections[0]?.emojis.length ?? 0)}
      </p>
    </section>
  );
}

/** A field that has the focus from the beginning, but not where a keyboard would cover the screen with that. */
function useFirstFocus() {
  const field = useRef<HTMLInputElement>(null);
  const isTouch = useMedia("(pointer: coarse)");
  useEffect(() => {
    // The picker is not in its place yet when it opens: the page would scroll to its present place.
    if (!isTouch) field.current?.focus({ preventScroll: true });
  }, [isTouch]);
  return field;
}
