// Parsing, for the page.

export { beginning, firstCharacter } from "./beginning.js";
// Other uses of a message's text.
export { cardLinks } from "./cards.js";
export { guessLanguage } from "./language.js";
export {
  type FoundMentions,
  findAllMentions,
  findMentions,
  mentionedName,
  mentionsMax,
  namesOfRun,
} from "./mentions.js";
export type { Mark, MarkdownNode, MessageTree } from "./node.js";
export { isDeeplyNested, readMessage } from "./read-message.js";
export { excerpt, hiddenParts, hiddenText, shownText } from "./shown-text.js";
