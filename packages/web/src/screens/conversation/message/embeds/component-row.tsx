import type { ButtonComponent, Message, SelectComponent } from "@parley/client";
import { texts } from "../../../../texts/texts.js";
import { ErrorNote } from "../../../../ui/async-content.js";
import { useAction } from "../../../../ui/use-action.js";
import styles from "./component-row.module.css";
import { type Press, useIsWaiting } from "./press.js";

interface PressProps {
  message: Message;
  /** Null where nothing can be pressed. */
  press: Press | null;
}

/** A row of buttons, or a select, below a message of a bot. */
export function ComponentRow({ row, ...props }: PressProps & { row: readonly (ButtonComponent | SelectComponent)[] }) {
  return (
    <div className={styles.row}>
      {row.map((component) =>
        component.type === "select" ? (
          <Select key={component.custom_id} select={component} {...props} />
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

function Select({ select, message, press }: PressProps & { select: SelectComponent }) {
  const labels = texts.apps;
  const { kind, options, placeholder, max_values } = select;
  const choosing = useAction(async (values: readonly string[]) => press?.(message, select, values));
  const name = placeholder ?? labels.choose[kind];
  return (
    <>
      <select
        className={styles.select}
        aria-label={name}
        multiple={max_values > 1}
        disabled={press === null || choosing.isBusy}
        defaultValue={max_values > 1 ? [] : ""}
        onChange={({ currentTarget }) => {
          void choosing.run([...currentTarget.selectedOptions].map(({ value }) => value).filter(Boolean));
        }}
      >
        {max_values > 1 ? null : <option value="">{name}</option>}
        {(options ?? []).map(({ label, value, description }) => (
          <option key={value} value={value}>
            {description === null ? label : `${label} – ${description}`}
          </option>
        ))}
      </select>
      <ErrorNote error={choosing.error} />
    </>
  );
}
