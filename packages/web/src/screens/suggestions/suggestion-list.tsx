import { useEffect, useRef } from "react";
import { texts } from "../../texts/texts.js";
import { Avatar } from "../../ui/avatar.js";
import styles from "./suggestion-list.module.css";

/** A suggestion as it is shown. */
export interface ShownSuggestion {
  key: string;
  label: string;
  note?: string;
  avatar?: { name: string; url: string | null };
  imageUrl?: string;
}

/** Id of an entry, for the aria attribute of the text field. */
export const suggestionId = (listId: string, index: number) => `${listId}-${index}`;

/** Completions, above the text field or, of a field in a form, in their place below it. */
export function SuggestionList({
  id,
  suggestions,
  selected,
  isInPlace = false,
  onPick,
}: {
  id: string;
  isInPlace?: boolean;
  suggestions: readonly ShownSuggestion[];
  selected: number;
  onPick: (index: number) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={texts.conversation.suggestions}
      className={styles.list}
      data-in-place={isInPlace}
      hidden={suggestions.length === 0}
    >
      {suggestions.map(({ key, label, note, avatar, imageUrl }, index) => (
        <div
          key={key}
          id={suggestionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          className={styles.option}
          // The text field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onPick(index);
          }}
        >
          {avatar === undefined ? null : <Avatar name={avatar.name} url={avatar.url} size={24} />}
          {imageUrl === undefined ? null : <img className={styles.image} src={imageUrl} alt="" />}
          <bdi className={styles.label}>{label}</bdi>
          {note === undefined ? null : <bdi className={styles.note}>{note}</bdi>}
        </div>
      ))}
    </div>
  );
}
