import { useCallback, useEffect, useState } from "react";
import { onOtherTab } from "./other-tab.js";

const storageKey = "parley.theme";

/** The colours that a person chose; "system" follows the device. */
export type Theme = "system" | "dark" | "light";

/** Puts the theme of an earlier visit on the page; to be called before the first rendering. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Keeps the page in the theme that is chosen in another tab of the browser; to be called once. */
export function followTheme(): void {
  onOtherTab(storageKey, applyTheme);
}

/** The theme, and how it is changed for this device. */
export function useTheme(): [theme: Theme, change: (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    return onOtherTab(storageKey, () => setTheme(storedTheme()));
  }, []);
  const change = useCallback((next: Theme) => {
    localStorage.setItem(storageKey, next);
    applyTheme(next);
    setTheme(next);
  }, []);
  return [theme, change];
}

/** Reads a theme's name; anything else is "system". */
export function themeOf(name: string | null): Theme {
  return name === "dark" || name === "light" ? name : "system";
}

const storedTheme = () => themeOf(localStorage.getItem(storageKey));
