import type { StartTexts } from "./english/catalogue.js";
import { englishStart } from "./english/english-start.js";
import { type Formats, formatsOf } from "./formats.js";
import { type Direction, firstLanguageOf, type Language, languages } from "./languages.js";

/**
 * The texts of the first load, in the language in use. Read them where they are shown: they change with the language.
 * Modules of the first load read these, so that the others (`texts.ts`) do not become part of it.
 */
export let texts: StartTexts = englishStart;
/** How times, numbers and lists are written in the language in use. */
export let formats: Formats = formatsOf("en");
/** The language in use. */
export let language: Language = "en";
/** Where its lines lead: from left to right, or from right to left. */
export let direction: Direction = "ltr";

/** Loads the texts of a language for a part of the page; the function that it resolves with puts them into use. */
export type LoadTexts = (language: Language) => Promise<() => void>;

const listeners = new Set<() => void>();
const loaders: LoadTexts[] = [
  async (next) => {
    const loaded = (await languages[next].scripts?.start()) ?? englishStart;
    return () => {
      texts = loaded;
    };
  },
];

/**
 * Puts the page into the first of the wanted languages that there is; without a match it is English.
 *
 * @throws when a script of the language cannot be loaded; the language then stays as it is
 */
export async function switchTo(wanted: readonly string[]): Promise<void> {
  const next = firstLanguageOf(wanted);
  let loaded: readonly (() => void)[] = [];
  // Texts may be added meanwhile.
  while (loaded.length < loaders.length) loaded = await Promise.all(loaders.map((load) => load(next.language)));
  for (const put of loaded) put();
  formats = formatsOf(next.locale);
  language = next.language;
  direction = languages[language].direction;
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  for (const listener of listeners) listener();
}

/**
 * Loads the texts of another part of the page, which follow the language from then on. To be awaited before the part is
 * shown.
 *
 * @throws when they cannot be loaded
 */
export async function addTexts(load: LoadTexts): Promise<void> {
  let loaded = language;
  let put = await load(loaded);
  // The language may change meanwhile.
  while (loaded !== language) {
    loaded = language;
    put = await load(loaded);
  }
  put();
  loaders.push(load);
}

/** Calls the listener after every change of the language; returns a function that ends that. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
