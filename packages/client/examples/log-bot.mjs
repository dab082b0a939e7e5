// Keeps a log in the channel "log" of each server that it is in: edits and deletions of messages, joins and leaves, and
// changes of channels, also in servers that it joins later. Settings: PARLEY_URL, BOT_TOKEN, LOG_CHANNEL.
import { createBot, createFileStore } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token, LOG_CHANNEL: wanted = "log" } = process.env;
const bot = createBot({ url, token, store: createFileStore("log-bot.position") });
const logs = new Map();

async function log(serverId, content) {
  if (!logs.has(serverId)) logs.set(serverId, await bot.client.channels.list(serverId));
  const channel = logs.get(serverId).find(({ name }) => name === wanted);
  if (channel !== undefined) await bot.client.messages.send(channel.id, { content: content.slice(0, 4_000) });
}
const logChannel = (server_id, content) => {
  logs.delete(server_id);
  return log(server_id, content);
};

bot.on("MESSAGE_UPDATE", ({ server_id, author, content }) =>
  log(server_id, `${author?.username} now says: ${content}`),
);
bot.on("MESSAGE_DELETE", async ({ id }, { server }) => log((await server()).id, `${id} was deleted`));
bot.on("MEMBER_JOIN", ({ server_id, member }) => log(server_id, `${member.username} joined`));
bot.on("MEMBER_LEAVE", ({ server_id, user_id, reason }) => log(server_id, `${user_id} is gone: ${reason}`));
bot.on("CHANNEL_CREATE", ({ server_id, name }) => logChannel(server_id, `#${name} was created`));
bot.on("CHANNEL_UPDATE", ({ server_id, name }) => logChannel(server_id, `#${name} was changed`));
bot.on("CHANNEL_DELETE", ({ server_id, id }) => logChannel(server_id, `The channel ${id} was deleted`));
bot.on("SERVER_LEAVE", ({ server_id }) => logs.delete(server_id));
await bot.run();
