import { useEffect, useState, useSyncExternalStore } from "react";
import { type Language, languageOf } from "../texts/languages.js";
import { language, onLanguage, switchTo } from "../texts/start-texts.js";
import { onOtherTab } from "./other-tab.js";

const storageKey = "parley.language";

/** The language that a person chose; "browser" follows what the browser asks for. */
export type LanguageChoice = Language | "browser";

/** Puts the page into the language of an earlier visit, or of the browser; to be called before the first rendering. */
export async function applyLanguage(choice: LanguageChoice = storedLanguage()): Promise<void> {
  await switchTo(wantedLanguages(choice));
}

/** Keeps the page in the language that is chosen in another tab of the browser; to be called once. */
export function followLanguage(): void {
  // Without its script the language stays as it is.
  onOtherTab(storageKey, () => void applyLanguage().catch(() => undefined));
}

/** The language in use; whoever calls this is rendered again when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(onLanguage, () => language);

/** The choice, and how it is changed for this browser; the change fails when the language cannot be loaded. */
export function useLanguageChoice(): [choice: LanguageChoice, change: (choice: LanguageChoice) => Promise<void>] {
  const [choice, setChoice] = useState(storedLanguage);
  useEffect(() => {
    return onOtherTab(storageKey, () => setChoice(storedLanguage()));
  }, []);
  const change = async (next: LanguageChoice) => {
    await applyLanguage(next);
    localStorage.setItem(storageKey, next);
    setChoice(next);
  };
  return [choice, change];
}

/** Reads a choice; anything unknown is "browser". */
export const languageChoiceOf = (name: string | null): LanguageChoice => languageOf(name) ?? "browser";

const storedLanguage = () => languageChoiceOf(localStorage.getItem(storageKey));

/** In the order of preference: a chosen language in the variety that the browser asks for, if it asks for one. */
function wantedLanguages(choice: LanguageChoice): readonly string[] {
  if (choice === "browser") return navigator.languages;
  return [...navigator.languages.filter((tag) => tag.split("-", 1)[0] === choice), choice];
}
