// Words with the punctuation that means nothing in Markdown, on one line. A letter comes first, as a number may begin a
// list; a colon is no part of it, as it begins emoji and links.
const plain = /^\p{L}[\p{L}\p{M}\p{N}'’"“”,.!?;…–—() ]*$/u;
const link = /\bwww\./i;

/**
 * Whether a text is the same as Markdown as it is without: most messages of a conversation are. These need no parser,
 * which takes longer than all the rest of a message.
 */
export const isPlainSentence = (text: string): boolean => plain.test(text) && !text.endsWith(" ") && !link.test(text);
