import type { Message } from "@parley/client";
import type { KeyboardEvent, MouseEvent } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { useConversation } from "../context.js";
import { useSelection } from "./selection.js";
import styles from "./selection.module.css";

/** Whether messages are being selected here, and this one can be. */
export function useIsSelecting({ thread_id }: Message): boolean {
  const { place } = useConversation();
  return useSelection(({ placeId }) => placeId === place.id) && thread_id === null;
}

/** Returns a function that selects or unselects a message, or with Shift all up to it. */
export function useSelect({ id, channel_id }: Message): (event: { shiftKey: boolean }) => void {
  const { store } = useApp();
  const toggle = useSelection((selection) => selection.toggle);
  const extend = useSelection((selection) => selection.extend);
  return ({ shiftKey }) => {
    const listed = store.getState().histories[channel_id]?.messages ?? [];
    if (shiftKey)
      extend(
        id,
        listed.map((message) => message.id),
      );
    else toggle(id);
  };
}

/** The box that selects a message. It covers its row, so a click anywhere on the message counts. */
export function SelectionMark({ message }: { message: Message }) {
  const isSelected = useSelection(({ ids }) => ids.has(message.id));
  const select = useSelect(message);
  return (
    <input
      type="checkbox"
      className={styles.mark}
      // The rows are reached with the arrow keys and selected with the space bar.
      tabIndex={-1}
      aria-label={texts.conversation.selectMessage}
      checked={isSelected}
      onChange={() => undefined}
      onClick={(event: MouseEvent) => select(event)}
    />
  );
}

/** The space bar on a row selects its message. */
export function selectWithSpace(event: KeyboardEvent<HTMLElement>, select: (event: { shiftKey: boolean }) => void) {
  if (event.key !== " " || event.target !== event.currentTarget) return;
  event.preventDefault();
  select(event);
}
