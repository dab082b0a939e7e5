const prefix = "parley.draft.";

/** The unsent text of a channel or thread, kept over visits; "" when there is none. */
export const readDraft = (key: string): string => localStorage.getItem(prefix + key) ?? "";

/** Keeps the unsent text of a channel or thread. */
export function keepDraft(key: string, text: string): void {
  if (text === "") localStorage.removeItem(prefix + key);
  else localStorage.setItem(prefix + key, text);
}

/** Removes all unsent texts, as another user may log in next. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix)) localStorage.removeItem(key);
  }
}
