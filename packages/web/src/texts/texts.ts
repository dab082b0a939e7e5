import type { Texts } from "./english/catalogue.js";
import { english } from "./english/english.js";
import { setOtherTexts } from "./error-text.js";
import { languages } from "./languages.js";
import { textsOf } from "./server-errors.js";
import { addTexts, texts as startTexts } from "./start-texts.js";

export { direction, formats } from "./start-texts.js";

/**
 * Every text of the interface, in the language in use. To be read where it is shown: it changes with the language. Not
 * for the first load, which has only some of them (`start-texts.ts`).
 */
export let texts: Texts = { ...startTexts, ...english };

/** The texts of errors that the server describes in English. */
export const serverErrorScripts = {
  de: async () => (await import("./german/server-errors.js")).germanServerErrors,
  ar: async () => (await import("./arabic/server-errors.js")).arabicServerErrors,
} as const;

/**
 * Loads {@link texts} in the language in use, which they follow from then on. To be awaited before the first of them is
 * shown.
 *
 * @throws when the script of the language cannot be loaded
 */
export async function loadTexts(): Promise<void> {
  await addTexts(async (language) => {
    const loaded = (await languages[language].scripts?.screens()) ?? english;
    return () => {
      texts = { ...startTexts, ...loaded };
      setOtherTexts(textsOf(texts.refusals, {}));
    };
  });
  // Nobody waits for these. Until they are there, and where they cannot be loaded, the server's own text is shown.
  addTexts(async (language) => {
    const loaded = language === "en" ? {} : await serverErrorScripts[language]();
    return () => setOtherTexts(textsOf(texts.refusals, loaded));
  }).catch(() => undefined);
}
