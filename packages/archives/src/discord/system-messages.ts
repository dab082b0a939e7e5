/**
 * Types of messages, as the exporter writes them: unknown ones by their numbers. Null: a message; a text: the kind of a
 * system message. Types that are missing here are system messages of another kind.
 */
export const systemMessages: ReadonlyMap<string, string | null> = new Map([
  ["Default", null],
  ["Reply", null],
  // Answers of bots to commands.
  ["20", null],
  ["23", null],
  ["RecipientAdd", "joined"],
  ["RecipientRemove", "left"],
  ["Call", "call"],
  ["ChannelNameChange", "renamed"],
  ["ChannelIconChange", "picture changed"],
  ["ChannelPinnedMessage", "pinned"],
  ["GuildMemberJoin", "joined"],
  ["8", "boosted"],
  ["9", "boosted"],
  ["10", "boosted"],
  ["11", "boosted"],
  ["12", "follows a channel"],
  ["ThreadCreated", "thread started"],
  ["21", "thread starter"],
  ["24", "automatic moderation"],
  ["46", "poll result"],
]);
