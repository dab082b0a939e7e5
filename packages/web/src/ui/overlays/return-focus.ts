/** Enough to find one that is still there when a dialog closes that a menu has opened. */
const keptMax = 10;
/** The elements that have had the focus, the newest last. */
const focused: HTMLElement[] = [];

/** Remembers where the focus is; to be called once, when the page is loaded. */
export function followFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) noteFocus(target);
  });
}

/**
 * Treats an element as if it had the focus; as the ref of a trigger that replaces the one that was used, which is no longer
 * there when the focus is to return.
 */
export function noteFocus(element: HTMLElement | null): void {
  if (element === null || focused.at(-1) === element) return;
  focused.push(element);
  if (focused.length > keptMax) focused.shift();
}

/**
 * Returns the focus after a dialog was closed to the element that had it last and still exists; items of menus and
 * deleted rows do not. An element that took the focus by the dialog's action keeps it. Radix itself returns the focus
 * only to triggers inside of the dialog's component.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  for (const element of [...focused].reverse()) {
    if (!element.isConnected) continue;
    element.focus();
    if (document.activeElement === element) return;
  }
}
