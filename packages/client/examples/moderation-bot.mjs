// Deletes messages with forbidden words, and bars their authors from writing for ten minutes at the third time. The bot
// needs a role with Manage Messages and Mute Members. Settings: PARLEY_URL, BOT_TOKEN, FORBIDDEN (comma list).
import { createBot, createFileStore, ParleyError } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token, FORBIDDEN = "" } = process.env;
const forbidden = FORBIDDEN.toLowerCase()
  .split(",")
  .map((word) => word.trim())
  .filter((word) => word !== "");
if (forbidden.length === 0) {
  process.stderr.write("Set FORBIDDEN to the words that are not wanted, with commas between them.\n");
  process.exit(1);
}
const strikesMax = 3;
const timeoutMinutes = 10;

const strikes = new Map();
const bot = createBot({ url, token, store: createFileStore("moderation-bot.position") });

async function judge({ id, author_id, content }, { client, server }) {
  const word = forbidden.find((candidate) => content.toLowerCase().includes(candidate));
  if (word === undefined || author_id === null) return;
  await client.messages.delete(id);
  const { id: serverId } = await server();
  const key = `${serverId} ${author_id}`;
  const count = (strikes.get(key) ?? 0) + 1;
  strikes.set(key, count % strikesMax);
  bot.log(`${author_id}: strike ${count} for "${word}"`);
  if (count < strikesMax) return;
  const reason = `Said "${word}", the third forbidden word`;
  await client.moderation.timeout(serverId, author_id, { duration_minutes: timeoutMinutes, reason });
  bot.log(`${author_id}: timed out`);
}

// The bot's own messages do not come here.
bot.on("MESSAGE_CREATE", judge);
bot.on("MESSAGE_UPDATE", judge);
bot.on("THREAD_MESSAGE_CREATE", judge);
bot.catch((error) => {
  // Rights are missing, the owner cannot be moderated, or somebody else deleted the message first.
  if (!(error instanceof ParleyError)) throw error;
  bot.log(`${error.message} (request ${error.requestId})`);
});
await bot.run();
