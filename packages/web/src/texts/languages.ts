import type { ScreenTexts, StartTexts } from "./english/catalogue.js";

/** Where lines lead: from left to right, or from right to left. */
export type Direction = "ltr" | "rtl";

/** A language of the interface. */
export interface LanguageDescription {
  /** In the language itself, so that a user who reads only that one finds it. */
  readonly name: string;
  readonly direction: Direction;
  /**
   * How its texts are loaded, those of the first load and the rest; null for English, which belongs to the page, so that
   * there is always one.
   */
  readonly scripts: {
    readonly start: () => Promise<StartTexts>;
    readonly screens: () => Promise<ScreenTexts>;
  } | null;
}

/** The languages of the interface, by their codes. */
export const languages = {
  en: { name: "English", direction: "ltr", scripts: null },
  de: {
    name: "Deutsch",
    direction: "ltr",
    scripts: {
      start: async () => (await import("./german/german-start.js")).germanStart,
      screens: async () => (await import("./german/german.js")).german,
    },
  },
  ar: {
    name: "العربية",
    direction: "rtl",
    scripts: {
      start: async () => (await import("./arabic/arabic-start.js")).arabicStart,
      screens: async () => (await import("./arabic/arabic.js")).arabic,
    },
  },
} as const satisfies Record<string, LanguageDescription>;

/** The code of one of {@link languages}. */
export type Language = keyof typeof languages;

/** Reads the code of a language; anything else is null. */
export function languageOf(code: string | null): Language | null {
  return code === "en" || code === "de" || code === "ar" ? code : null;
}

/**
 * Finds the first language that the interface has among those that a reader wants.
 *
 * @param wanted as `navigator.languages`, the preferred one first
 * @returns the language, and the reader's own variety of it ("en-GB") for times and numbers; English without a match
 */
export function firstLanguageOf(wanted: readonly string[]): { language: Language; locale: string } {
  for (const tag of wanted) {
    const language = languageOf(tag.split("-", 1)[0] ?? null);
    // Names, codes and typed numbers have these digits in every language.
    if (language !== null) return { language, locale: new Intl.Locale(tag, { numberingSystem: "latn" }).toString() };
  }
  return { language: "en", locale: "en" };
}
