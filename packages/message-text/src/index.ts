// What the page shows of a message.

export { beginning, firstCharacter } from "./beginning.js";
// What others make of it.
export { cardLinks } from "./cards.js";
export { findMentions, mentionedName, mentionsMax, namesOfRun } from "./mentions.js";
export type { Mark, MarkdownNode, MessageTree } from "./node.js";
export { isDeeplyNested, readMessage } from "./read-message.js";
export { excerpt, hiddenText, shownText } from "./shown-text.js";
