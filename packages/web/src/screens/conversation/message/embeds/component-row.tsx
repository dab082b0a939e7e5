import type { ButtonComponent, SelectComponent } from "@parley/client";
import { ErrorNote } from "../../../../ui/data/async-content.js";
import { useAction } from "../../../../ui/data/use-action.js";
import { AppSelect } from "./app-select.js";
import styles from "./component-row.module.css";
import { type PressProps, useIsWaiting } from "./press.js";

/** A row of buttons, or a select, below a message of a bot. */
export function ComponentRow({ row, ...props }: PressProps & { row: readonly (ButtonComponent | SelectComponent)[] }) {
  return (
    <div className={styles.row}>
      {row.map((component) =>
        component.type === "select" ? (
          <AppSelect key={component.custom_id} select={component} {...props} />
        ) : (
          <Button key={component.custom_id ?? component.url} button={component} {...props} />
        ),
      )}
    </div>
  );
}

function Button({ button, message, press }: PressProps & { button: ButtonComponent }) {
  const { style, label, url, disabled } = button;
  const pressing = useAction(async () => press?.(message, button, []));
  const isWaiting = useIsWaiting(message.id, button.custom_id);
  if (style === "link" && url !== null && /^https?:\/\//i.test(url) && !disabled) {
    return (
      <a className={styles.button} data-style="link" href={url} target="_blank" rel="noopener noreferrer nofollow">
        <bdi>{label}</bdi>
      </a>
    );
  }
  return (
    <>
      <button
        type="button"
        className={styles.button}
        data-style={style}
        disabled={disabled || press === null}
        // Not disabled meanwhile: it would lose the focus.
        aria-disabled={isWaiting}
        aria-busy={isWaiting}
        onClick={() => (isWaiting ? undefined : pressing.run())}
      >
        <bdi>{label}</bdi>
      </button>
      <ErrorNote error={pressing.error} />
    </>
  );
}
