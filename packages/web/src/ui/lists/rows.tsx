import { type ComponentProps, Fragment, type ReactNode } from "react";
import styles from "./rows.module.css";

/** A list of things, each with its actions at its end. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

/** One row: a picture, a title, details, and buttons. */
export function Row({
  picture,
  title,
  detail,
  actions,
  handle,
  frame,
}: {
  picture?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
  /** The handle by which the row is dragged; at its start. */
  handle?: ReactNode;
  frame?: ComponentProps<"li">;
}) {
  return (
    <li {...frame} className={[styles.row, frame?.className].filter(Boolean).join(" ")}>
      {handle}
      {picture}
      <div className={styles.text}>
        <div className={styles.title}>{title}</div>
        {detail === undefined ? null : <div className={styles.detail}>{detail}</div>}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </li>
  );
}

/** Details one after the other, each in its own direction of writing. */
export function Details({ parts }: { parts: readonly string[] }) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two parts may be the same text.
    <Fragment key={at}>
      {at === 0 ? "" : " · "}
      <bdi>{part}</bdi>
    </Fragment>
  ));
}

/** A short word beside a title. */
export function Tag({
  children,
  tone = "plain",
  color,
}: {
  children: ReactNode;
  tone?: "plain" | "danger" | "success";
  /** The colour of the dot before it. */
  color?: string;
}) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {color === undefined ? null : <span className={styles.dot} style={{ backgroundColor: color }} />}
      {children}
    </span>
  );
}
