import type { ChosenMention } from "../../../state/sending/chosen-mentions.js";
import type { ChosenCommand } from "../../apps/use-commands.js";
import type { ShownSuggestion } from "../../suggestions/suggestion-list.js";

/** The word at the caret that can be completed. */
export interface CompletionQuery {
  kind: "user" | "channel" | "emoji" | "command";
  /** Without the sign that begins it. */
  letters: string;
  /** Index of the sign in the text. */
  start: number;
}

/** A suggested completion. */
export interface Suggestion extends ShownSuggestion {
  /** Text that replaces the word. */
  inserted: string;
  /** Somebody whom the word mentions: the name may be one that the text has for somebody else. */
  mention?: ChosenMention;
  /** The sign of an emoji, whose use is counted. */
  emoji?: string;
  /** A command, whose fields take the place of the text. */
  command?: ChosenCommand;
}

const kinds = { "@": "user", "#": "channel", ":": "emoji" } as const;

/**
 * Finds the word to complete: `@`, `#` or `:` at its beginning, with the letters up to the caret, or `/` at the beginning of
 * the text.
 */
export function completionAt(text: string, caret: number): CompletionQuery | null {
  const [, command] = /^\/([a-z0-9_-]{0,32})$/i.exec(text.slice(0, caret)) ?? [];
  if (command !== undefined) return { kind: "command", letters: command, start: 0 };
  const match = /(?:^|\s)([@#:])([^\s@#:]{0,32})$/u.exec(text.slice(0, caret));
  const [, sign, letters] = match ?? [];
  if ((sign !== "@" && sign !== "#" && sign !== ":") || letters === undefined) return null;
  // Colons are common in texts, so emoji are completed from two letters on.
  if (sign === ":" && letters.length < 2) return null;
  return { kind: kinds[sign], letters, start: caret - letters.length - 1 };
}

/** Replaces the word by its completion. @returns the text and the new position of the caret */
export function complete(
  text: string,
  query: CompletionQuery,
  caret: number,
  inserted: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, query.start)}${inserted} `;
  return { text: before + text.slice(caret).replace(/^ /, ""), caret: before.length };
}
