const prefix = "parley.draft.";
const mentionsPrefix = "parley.draft-mentions.";

/** The unsent text of a channel or thread, kept over visits; "" when there is none. */
export const readDraft = (key: string): string => localStorage.getItem(prefix + key) ?? "";

/** The usernames of those whom the unsent text of a channel or thread mentions by other names, by these names. */
export function readDraftMentions(key: string): Map<string, string> {
  const entries: [string, string][] = JSON.parse(localStorage.getItem(mentionsPrefix + key) ?? "[]");
  return new Map(entries);
}

/** Keeps the unsent text of a channel or thread, and what {@link readDraftMentions} says of it. */
export function keepDraft(key: string, text: string, mentions: ReadonlyMap<string, string>): void {
  if (text === "") localStorage.removeItem(prefix + key);
  else localStorage.setItem(prefix + key, text);
  if (mentions.size === 0) localStorage.removeItem(mentionsPrefix + key);
  else localStorage.setItem(mentionsPrefix + key, JSON.stringify([...mentions]));
}

/** Removes all unsent texts, as another user may log in next. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix) || key.startsWith(mentionsPrefix)) localStorage.removeItem(key);
  }
}
