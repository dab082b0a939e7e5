/** Enough to find one that is still there when a dialog closes that a menu has opened. */
const keptMax = 10;
/** The elements that have had the focus, the newest last. */
const focused: HTMLElement[] = [];

/** Remembers where the focus is; to be called once, when the page is loaded. */
export function followFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || focused.at(-1) === target) return;
    focused.push(target);
    if (focused.length > keptMax) focused.shift();
  });
}

/**
 * Brings the focus of a dialog that was closed back to where it was before: to the newest place that is still there, as
 * items of menus and rows that were deleted are not. Where the dialog has led to keeps the focus that it took. Radix
 * knows only triggers inside of a dialog's own component.
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
