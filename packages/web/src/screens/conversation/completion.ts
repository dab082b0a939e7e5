/** What is being written at the caret that can be completed. */
export interface CompletionQuery {
  kind: "user" | "channel" | "emoji";
  /** Without the sign that begins it. */
  letters: string;
  /** Where the sign stands in the text. */
  start: number;
}

const kinds = { "@": "user", "#": "channel", ":": "emoji" } as const;

/** Finds what to complete: `@`, `#` or `:` at the beginning of a word, with the letters up to the caret. */
export function completionAt(text: string, caret: number): CompletionQuery | null {
  const match = /(?:^|\s)([@#:])([^\s@#:]{0,32})$/u.exec(text.slice(0, caret));
  const [, sign, letters] = match ?? [];
  if ((sign !== "@" && sign !== "#" && sign !== ":") || letters === undefined) return null;
  // A colon stands in many texts; two letters behind it make a name.
  if (sign === ":" && letters.length < 2) return null;
  return { kind: kinds[sign], letters, start: caret - letters.length - 1 };
}

/** Puts a completion in the place of what was written, and says where the caret is then. */
export function complete(
  text: string,
  query: CompletionQuery,
  caret: number,
  inserted: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, query.start)}${inserted} `;
  return { text: before + text.slice(caret).replace(/^ /, ""), caret: before.length };
}
