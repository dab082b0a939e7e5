import { useCallback, useEffect, useState } from "react";
import { theme as kept } from "../../device/device-storage.js";
import type { Theme } from "../../device/schemas.js";

/** Puts the theme of an earlier visit on the page; to be called before the first rendering. */
export function applyTheme(theme = kept.read()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Keeps the page in the theme that is chosen in another tab of the browser; to be called once. */
export function followTheme(): void {
  kept.follow(applyTheme);
}

/** The theme, and how it is changed for this device. */
export function useTheme(): [theme: Theme, change: (theme: Theme) => void] {
  const [theme, setTheme] = useState(kept.read);
  useEffect(() => {
    return kept.follow(() => setTheme(kept.read()));
  }, []);
  const change = useCallback((next: Theme) => {
    kept.write(next);
    applyTheme(next);
    setTheme(next);
  }, []);
  return [theme, change];
}
