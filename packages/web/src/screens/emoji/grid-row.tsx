// biome-ignore-all lint/a11y/useSemanticElements: the rows of a virtual list have places of their own, which those of a table cannot have.
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the cells have the focus.
import type { Tone } from "../../device/schemas.js";
import { texts } from "../../texts/texts.js";
import styles from "./emoji-picker.module.css";
import { type Emoji, inTone } from "./emoji-set.js";
import type { Cell } from "./grid-moves.js";
import type { Row } from "./sections.js";

/** A title, or emoji beside each other. */
export function GridRow({
  row,
  index,
  activeColumn,
  tone,
  onPick,
  onFocus,
}: {
  row: Row;
  index: number;
  /** The column of the emoji that the tabulator reaches. */
  activeColumn: number | null;
  tone: Tone;
  onPick: (emoji: Emoji) => void;
  onFocus: (cell: Cell) => void;
}) {
  if (row.kind === "title") {
    return (
      <div role="row" aria-rowindex={index + 1}>
        <div role="rowheader" className={styles.title}>
          {row.section === "found" ? null : texts.conversation.emojiGroups[row.section]}
        </div>
      </div>
    );
  }
  return (
    <div role="row" aria-rowindex={index + 1} className={styles.row}>
      {row.emojis.map((emoji, column) => (
        <div key={emoji.sign} role="gridcell">
          <EmojiChoice
            emoji={emoji}
            tone={tone}
            isActive={column === activeColumn}
            onPick={onPick}
            onFocus={() => (column === activeColumn ? undefined : onFocus({ row: index, column }))}
          />
        </div>
      ))}
    </div>
  );
}

function EmojiChoice({
  emoji,
  tone,
  isActive,
  onPick,
  onFocus,
}: {
  emoji: Emoji;
  tone: Tone;
  isActive: boolean;
  onPick: (emoji: Emoji) => void;
  onFocus: () => void;
}) {
  const { sign, name, imageUrl, shortcodes } = emoji;
  return (
    <button
      type="button"
      tabIndex={isActive ? 0 : -1}
      className={styles.emoji}
      aria-label={name}
      title={imageUrl === null ? `${name}\n:${shortcodes[0] ?? ""}:` : name}
      onClick={() => onPick(emoji)}
      onFocus={onFocus}
    >
      {imageUrl === null ? inTone(sign, tone) : <img className={styles.image} src={imageUrl} alt="" />}
    </button>
  );
}
