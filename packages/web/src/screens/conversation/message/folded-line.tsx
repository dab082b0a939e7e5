import { useState } from "react";
import { useAppState } from "../../../state/app/use-app.js";
import { isBlocked } from "../../../state/people/people.js";
import { texts } from "../../../texts/texts.js";
import styles from "./folded-line.module.css";

/** Whether a message is folded away, as its author is blocked, and a function that shows it here nevertheless. */
export function useFold(authorId: string | null): [isFolded: boolean, unfold: () => void] {
  const isFromBlocked = useAppState((state) => isBlocked(state, authorId));
  const [isShown, setShown] = useState(false);
  return [isFromBlocked && !isShown, () => setShown(true)];
}

/** A quiet line in place of something, and the button that shows it. */
export function QuietLine(props: { text: string; action: string; isBusy?: boolean; onShow: () => void }) {
  const { text, action, isBusy = false, onShow } = props;
  return (
    <p className={styles.line}>
      {text}{" "}
      <button
        type="button"
        className={styles.show}
        disabled={isBusy}
        onClick={({ currentTarget }) => {
          // The button goes; the keyboard stays at its message.
          currentTarget.closest<HTMLElement>("[data-row]")?.focus();
          onShow();
        }}
      >
        {action}
      </button>
    </p>
  );
}

/** Stands for a message of somebody whom the user has blocked. */
export function FoldedLine({ onShow }: { onShow: () => void }) {
  return <QuietLine text={texts.people.folded} action={texts.people.show} onShow={onShow} />;
}
