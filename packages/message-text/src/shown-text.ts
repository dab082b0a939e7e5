import { beginning } from "./beginning.js";
import { readMessage } from "./read-message.js";
import { isSpoiler, walk } from "./walk.js";

/** Replaces the text of a spoiler. */
export const hiddenText = "▒▒▒▒";

/**
 * The text of a message for every place outside of the message itself: as it is written, with {@link hiddenText} in
 * place of its spoilers.
 */
export function shownText(text: string): string {
  let shown = "";
  let end = 0;
  for (const { from, to } of hiddenParts(text)) {
    shown += text.slice(end, from) + hiddenText;
    end = to;
  }
  return shown + text.slice(end);
}

/** Where the spoilers of a message begin and end in its text, the first one first. */
export function hiddenParts(text: string): { from: number; to: number }[] {
  if (!text.includes("||")) return [];
  return [...walk(readMessage(text), (node) => !isSpoiler(node))]
    .filter(isSpoiler)
    .map(({ from = 0, to = 0 }) => ({ from, to }))
    .sort((a, b) => a.from - b.from);
}

/** The beginning of a message's text for a place outside of the message: {@link shownText} and {@link beginning}. */
export const excerpt = (text: string, lengthMax: number): string => beginning(shownText(text).trim(), lengthMax);
