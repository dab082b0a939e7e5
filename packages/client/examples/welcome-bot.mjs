// Greets everybody who joins, in the channel "welcome" of each server, or in its first text channel. It begins as soon as it
// is in a server, also in those that it joins later. Settings: PARLEY_URL, BOT_TOKEN, WELCOME_CHANNEL.
import { createBot, createFileStore } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token, WELCOME_CHANNEL: wanted = "welcome" } = process.env;
const bot = createBot({ url, token, store: createFileStore("welcome-bot.position") });

async function say(serverId, content, nonce) {
  const channels = (await bot.client.channels.list(serverId)).filter(({ type }) => type === "text");
  const channel = channels.find(({ name }) => name === wanted) ?? channels[0];
  // With a nonce the message is sent once, also when the event comes again after the bot was killed.
  if (channel !== undefined) await bot.client.messages.send(channel.id, { content, nonce });
}

bot.on("SERVER_JOIN", ({ server, member }) =>
  say(server.id, `Hello, ${server.name}! I greet whoever joins from now on.`, `hello ${member.joined_at}`),
);
bot.on("MEMBER_JOIN", async ({ server_id, member }) => {
  if (member.is_bot) return;
  await say(server_id, `Welcome, @${member.username}!`, `${member.user_id} ${member.joined_at}`);
});
await bot.run();
