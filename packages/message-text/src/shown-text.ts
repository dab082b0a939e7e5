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
  if (!text.includes("||")) return text;
  let shown = "";
  let end = 0;
  const places = [...walk(readMessage(text), (node) => !isSpoiler(node))]
    .filter(isSpoiler)
    .map(({ from = 0, to = 0 }) => ({ from, to }))
    .sort((a, b) => a.from - b.from);
  for (const { from, to } of places) {
    shown += text.slice(end, from) + hiddenText;
    end = to;
  }
  return shown + text.slice(end);
}

/** The beginning of a message's text for a place outside of the message: {@link shownText} and {@link beginning}. */
export const excerpt = (text: string, lengthMax: number): string => beginning(shownText(text).trim(), lengthMax);
