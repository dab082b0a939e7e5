/**
 * Ends the text of a message whose files follow, as the interface has no event for them: whoever sees it looks for
 * them until they are there. A message without text consists of it.
 */
export const filesFollow = "\u200b";
