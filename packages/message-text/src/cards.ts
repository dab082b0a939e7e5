import { readMessage } from "./read-message.js";
import { isSpoiler, walk } from "./walk.js";

const mayLink = /https?:\/\/|www\./i;
const webAddress = /^https?:\/\//i;

/**
 * The web addresses of a message that get link cards (docs/protocol/messages.md#28.11): the different ones that its links lead to, in
 * the order in which they are shown. None of those in spoilers, in code, or in angle brackets.
 *
 * @param limits most cards, and longest address in UTF-16 units
 */
export function cardLinks(text: string, { cardsMax, lengthMax }: { cardsMax: number; lengthMax: number }): string[] {
  const links = new Set<string>();
  if (!mayLink.test(text)) return [];
  for (const node of walk(readMessage(text), (each) => !isSpoiler(each))) {
    const { url, isBare } = node;
    if (url === undefined || isBare || !webAddress.test(url) || url.length > lengthMax || !URL.canParse(url)) continue;
    links.add(url);
    if (links.size === cardsMax) break;
  }
  return [...links];
}
