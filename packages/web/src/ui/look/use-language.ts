import { useEffect, useState, useSyncExternalStore } from "react";
import { languageChoice as kept } from "../../device/device-storage.js";
import type { LanguageChoice } from "../../device/schemas.js";
import type { Language } from "../../texts/languages.js";
import { language, onLanguage, switchTo } from "../../texts/start-texts.js";

/** Puts the page into the language of an earlier visit, or of the browser; to be called before the first rendering. */
export async function applyLanguage(choice = kept.read()): Promise<void> {
  await switchTo(wantedLanguages(choice));
}

/** Keeps the page in the language that is chosen in another tab of the browser; to be called once. */
export function followLanguage(): void {
  // Without its script the language stays as it is.
  kept.follow(() => void applyLanguage().catch(() => undefined));
}

/** The language in use; a component that calls this is rendered again when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(onLanguage, () => language);

/** The choice, and how it is changed for this browser; the change fails when the language cannot be loaded. */
export function useLanguageChoice(): [choice: LanguageChoice, change: (choice: LanguageChoice) => Promise<void>] {
  const [choice, setChoice] = useState(kept.read);
  useEffect(() => {
    return kept.follow(() => setChoice(kept.read()));
  }, []);
  const change = async (next: LanguageChoice) => {
    await applyLanguage(next);
    kept.write(next);
    setChoice(next);
  };
  return [choice, change];
}

/** In the order of preference: a chosen language in the variety that the browser asks for, if it asks for one. */
function wantedLanguages(choice: LanguageChoice): readonly string[] {
  if (choice === "browser") return navigator.languages;
  return [...navigator.languages.filter((tag) => tag.split("-", 1)[0] === choice), choice];
}
