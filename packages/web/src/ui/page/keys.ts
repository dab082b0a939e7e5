/** A key press, of React's events and of the browser's. */
type Press = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

/** Letters, and the marks that some scripts have on keys of their own. */
const letters = /^[\p{L}\p{M}]+$/u;
const latin = /\p{Script=Latin}/u;

/**
 * The key that a shortcut goes by: the character of the layout, and where that is a letter of another script the one that
 * stands at its place on most keyboards: `k` for the Russian `л`, `/` for the Arabic `ظ`.
 */
export function shortcutKey({ key, code, shiftKey }: Press): string {
  if (!letters.test(key) || latin.test(key)) return key;
  if (code === "Slash") return "/";
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter === undefined) return key;
  return shiftKey ? letter : letter.toLowerCase();
}
