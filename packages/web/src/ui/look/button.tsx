import type { ComponentProps } from "react";
import styles from "./button.module.css";

/** A button; `quiet` beside the main choice, `danger` for destruction, `ask` for an action that asks before. */
export function Button({
  kind = "primary",
  className,
  type = "button",
  ...props
}: ComponentProps<"button"> & { kind?: "primary" | "quiet" | "danger" | "ask" }) {
  return (
    <button type={type} className={[styles.button, styles[kind], className].filter(Boolean).join(" ")} {...props} />
  );
}

/** A button that shows an icon; the label is its name for screen readers and its tooltip. */
export function IconButton({
  label,
  className,
  type = "button",
  ...props
}: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={[styles.icon, className].filter(Boolean).join(" ")}
      {...props}
    />
  );
}
