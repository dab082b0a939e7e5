import { texts } from "../../../texts/texts.js";
import { Avatar } from "../../../ui/avatar.js";
import type { Suggestion } from "./completion.js";
import styles from "./suggestion-list.module.css";

/** Id of an entry, for the aria attribute of the text field. */
export const suggestionId = (listId: string, index: number) => `${listId}-${index}`;

/** Completions, above the text field. */
export function SuggestionList({
  id,
  suggestions,
  selected,
  onPick,
}: {
  id: string;
  suggestions: readonly Suggestion[];
  selected: number;
  onPick: (index: number) => void;
}) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={texts.conversation.suggestions}
      className={styles.list}
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
