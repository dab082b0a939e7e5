import type { Texts } from "./english/catalogue.js";
import { english } from "./english/english.js";
import { type Formats, formatsOf } from "./formats.js";
import { type Direction, firstLanguageOf, type Language, languages } from "./languages.js";

/** Every text of the interface, in the language in use. To be read where it is shown: it changes with the language. */
export let texts: Texts = english;
/** How times, numbers and lists are written in the language in use. */
export let formats: Formats = formatsOf("en");
/** The language in use. */
export let language: Language = "en";
/** Where its lines lead: from left to right, or from right to left. */
export let direction: Direction = "ltr";

const listeners = new Set<() => void>();

/**
 * Puts the page into the first of the wanted languages that there is; without a match it is English.
 *
 * @throws when the script of the language cannot be loaded; the language then stays as it is
 */
export async function switchTo(wanted: readonly string[]): Promise<void> {
  const next = firstLanguageOf(wanted);
  const found = languages[next.language];
  texts = await found.load();
  formats = formatsOf(next.locale);
  language = next.language;
  direction = found.direction;
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  for (const listener of listeners) listener();
}

/** Calls the listener after every change of the language; returns what ends that. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
