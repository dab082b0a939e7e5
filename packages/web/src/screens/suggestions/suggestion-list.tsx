import { texts } from "../../texts/texts.js";
import type { Listbox } from "../../ui/forms/use-listbox.js";
import { Avatar } from "../../ui/look/avatar.js";
import styles from "./suggestion-list.module.css";

/** A suggestion as it is shown. */
export interface ShownSuggestion {
  key: string;
  label: string;
  note?: string;
  avatar?: { name: string; url: string | null };
  imageUrl?: string;
}

/** Completions, above the text field or, of a field in a form, in their place below it. */
export function SuggestionList({
  listbox,
  suggestions,
  isInPlace = false,
  isBusy = false,
}: {
  listbox: Listbox;
  suggestions: readonly ShownSuggestion[];
  isInPlace?: boolean;
  /** Whether others are about to take the place of these, which cannot be picked. */
  isBusy?: boolean;
}) {
  return (
    <div
      {...listbox.list}
      role="listbox"
      aria-label={texts.conversation.suggestions}
      className={styles.list}
      aria-busy={isBusy}
      data-in-place={isInPlace}
    >
      {suggestions.map(({ key, label, note, avatar, imageUrl }, index) => (
        <div
          key={key}
          {...listbox.option(index)}
          role="option"
          tabIndex={-1}
          className={styles.option}
          // The text field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            listbox.pick(index);
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
