/**
 * Last character of the text of a message whose files are uploaded after it, as some clients do, and the whole text of
 * one without text. There is no event for such files, so a page that shows such a message reads its attachments until
 * there are some.
 */
export const filesFollow = "\u200b";
