import { type RefObject, useEffect, useRef } from "react";

/**
 * For the `ref` of a form: fields follow their initial values, which others may change, as long as nothing else was
 * typed or chosen. React sets initial values once. A select has its own in `data-initial`.
 */
export function useFollowedFields(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(new Map<Element, string>());
  useEffect(() => {
    for (const field of form.current?.elements ?? []) {
      const initial = initialOf(field);
      const before = shown.current.get(field);
      if (initial === undefined || initial === before) continue;
      if (before !== undefined && shownIn(field) === before) setValue(field, initial);
      shown.current.set(field, initial);
    }
  });
  return form;
}

const isBox = (field: Element): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === "checkbox";
const isText = (field: Element): field is HTMLInputElement | HTMLTextAreaElement =>
  (field instanceof HTMLInputElement && !isBox(field)) || field instanceof HTMLTextAreaElement;

/** The first value of a field; undefined for an element that is no field. */
export function initialOf(field: Element): string | undefined {
  if (isBox(field)) return String(field.defaultChecked);
  if (isText(field)) return field.defaultValue;
  return field instanceof HTMLSelectElement ? field.dataset.initial : undefined;
}

/** The present value of a field. */
export function shownIn(field: Element): string | undefined {
  if (isBox(field)) return String(field.checked);
  return isText(field) || field instanceof HTMLSelectElement ? field.value : undefined;
}

function setValue(field: Element, value: string): void {
  if (isBox(field)) field.checked = value === "true";
  else if (isText(field) || field instanceof HTMLSelectElement) field.value = value;
}
