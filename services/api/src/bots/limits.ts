/** Messages of a bot that its log shows, and how much of each (docs/interface.md#16.1). */
export const loggedMessagesMax = 50;
export const previewLengthMax = 80;
