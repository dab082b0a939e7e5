import type { KeyboardEvent } from "react";

/** Moves the focus from message to message with the arrow keys. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof HTMLElement && event.target.matches("[data-row]") ? event.target : null;
  if (row === null || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
  const next = rows[rows.indexOf(row) + (event.key === "ArrowUp" ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
