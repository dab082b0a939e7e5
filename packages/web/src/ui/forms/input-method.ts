/** Browsers report this code for a key that an input method has used. */
const usedByInputMethod = 229;

/**
 * Whether a key press belongs to an input method: the Enter that ends a conversion, the arrows that choose a candidate. Safari says
 * so by the code alone, as it ends the composition before.
 */
export const isInputMethodKey = (event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  event.isComposing || event.keyCode === usedByInputMethod;

/**
 * Keeps the keys of input methods from every field, list and shortcut of the page, which therefore need not ask: this
 * stops them before any listener in the page gets them.
 *
 * @returns a function that ends it
 */
export function keepInputMethodKeys(page: Window): () => void {
  const stop = (event: KeyboardEvent) => {
    if (isInputMethodKey(event)) event.stopImmediatePropagation();
  };
  page.addEventListener("keydown", stop, { capture: true });
  page.addEventListener("keyup", stop, { capture: true });
  return () => {
    page.removeEventListener("keydown", stop, { capture: true });
    page.removeEventListener("keyup", stop, { capture: true });
  };
}
