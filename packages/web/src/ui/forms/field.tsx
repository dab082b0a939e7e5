import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./field.module.css";
import { PasswordInput } from "./password-field.js";

interface FieldText {
  label: string;
  /** The purpose of the field; screen readers read it with the field. */
  hint?: ReactNode;
  /** The fault of its value. */
  error?: ReactNode;
}

/** A labelled line of text; a password can be shown. */
export function TextField({ label, hint, error, ...props }: FieldText & ComponentProps<"input">) {
  const id = useId();
  const Input = props.type === "password" ? PasswordInput : "input";
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Input id={id} className={styles.input} {...describedBy(id, hint, error)} {...props} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

/** A labelled text of several lines. */
export function TextArea({ label, hint, error, ...props }: FieldText & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea id={id} className={styles.input} rows={3} {...describedBy(id, hint, error)} {...props} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

/** A labelled choice of one among a few. */
export function Choice({ label, hint, error, children, ...props }: FieldText & ComponentProps<"select">) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={`${styles.input} ${styles.choice}`} {...describedBy(id, hint, error)} {...props}>
        {children}
      </select>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

/** A labelled percentage, 0 to 100. */
export function Slider({ label, hint, error, ...props }: FieldText & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input id={id} type="range" className={styles.slider} {...describedBy(id, hint, error)} {...props} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

/** A labelled box to tick. */
export function Checkbox({ label, hint, error, ...props }: FieldText & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className={styles.field}>
      <div className={styles.tick}>
        <input id={id} type="checkbox" {...describedBy(id, hint, error)} {...props} />
        <label htmlFor={id}>{label}</label>
      </div>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

function describedBy(id: string, hint: ReactNode, error: ReactNode) {
  const ids = [hint === undefined ? null : `${id}-hint`, error ? `${id}-error` : null].filter((part) => part !== null);
  return ids.length === 0 ? {} : { "aria-describedby": ids.join(" "), "aria-invalid": Boolean(error) };
}

function Notes({ id, hint, error }: { id: string } & Omit<FieldText, "label">) {
  return (
    <>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error ? (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </>
  );
}
