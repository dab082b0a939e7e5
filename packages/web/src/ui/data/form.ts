import type { FormEvent } from "react";

/** The text of a form's field; "" when it is not there. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The text of a field without the space around it, or null when nothing is left. */
export const textOrNull = (form: FormData, name: string): string | null => textOf(form, name).trim() || null;

/** The number in a field, or null when it is empty. */
export function numberOrNull(form: FormData, name: string): number | null {
  const text = textOf(form, name).trim();
  return text === "" ? null : Number(text);
}

/** A handler for a form that hands its fields on instead of loading a page. */
export const onForm =
  (handle: (form: FormData, element: HTMLFormElement) => unknown) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    handle(new FormData(event.currentTarget), event.currentTarget);
  };

/** The lines of a field without the space around them and without empty ones. */
export const linesOf = (form: FormData, name: string): string[] =>
  textOf(form, name)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Writes what was saved into a field, where that is in another form than what was typed. */
export function showSaved(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value;
}
