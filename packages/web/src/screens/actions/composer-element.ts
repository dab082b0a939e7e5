/** The field in which a message to the open channel or user is written; null where there is none. */
export const composerElement = (): HTMLTextAreaElement | null =>
  document.querySelector<HTMLTextAreaElement>("textarea[data-composer]");

/** Writes into that field at its caret, as if it were typed. */
export function insertIntoComposer(text: string): void {
  const field = composerElement();
  if (field === null) return;
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Layers above the page that take the keys. */
const layers = ":is([role=dialog], [role=alertdialog], [role=menu]):not([data-state=closed])";

/** Whether a dialog or a menu is open; one that the element is in does not count. */
export const isCovered = (element?: Element | null): boolean =>
  [...document.querySelectorAll(layers)].some((layer) => element == null || !layer.contains(element));
