/** An author's latest messages that are read with a server's settings: more than any spam limit allows. */
export const evidenceMessagesMax = 100;
/** Entries that the log shows (docs/interface.md#16.1). */
export const logEntriesMax = 100;
