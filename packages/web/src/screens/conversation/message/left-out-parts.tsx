import type { Message } from "@parley/client";
import { useApp } from "../../../state/use-app.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/async-content.js";
import { useAction } from "../../../ui/use-action.js";
import styles from "./folded-line.module.css";

/** Stands for the embeds and components that a list had no room for (docs/interface.md#4.11), and reads them. */
export function LeftOutParts({ message: { channel_id, id } }: { message: Message }) {
  const { details } = useApp();
  const { run, isBusy, error } = useAction(() => details.readParts(channel_id, id));
  return (
    <>
      <p className={styles.line}>
        {texts.apps.leftOut}{" "}
        <button
          type="button"
          className={styles.show}
          disabled={isBusy}
          onClick={({ currentTarget }) => {
            // The button goes; the keyboard stays at its message.
            currentTarget.closest<HTMLElement>("[data-row]")?.focus();
            void run();
          }}
        >
          {texts.apps.loadLeftOut}
        </button>
      </p>
      <ErrorNote error={error} />
    </>
  );
}
