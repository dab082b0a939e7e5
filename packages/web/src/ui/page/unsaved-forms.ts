import { initialOf, shownIn } from "./use-followed-fields.js";

/**
 * The forms in a part of the page in which something was typed or chosen that is not saved, without those that have nothing
 * to lose (`data-losable`).
 */
export const unsavedForms = (root: HTMLElement): HTMLFormElement[] =>
  [...root.querySelectorAll<HTMLFormElement>("form:not([data-losable])")].filter((form) =>
    [...form.elements].some(isChanged),
  );

function isChanged(field: Element): boolean {
  if (field.matches(":disabled")) return false;
  if (field instanceof HTMLSelectElement) return field.value !== (initialOf(field) ?? firstChoiceOf(field));
  const [shown, initial] = [shownIn(field), initialOf(field)];
  // A save removes space around the value.
  return shown !== undefined && initial !== undefined && shown.trim() !== initial.trim();
}

const firstChoiceOf = (field: HTMLSelectElement): string | undefined =>
  ([...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0])?.value;
