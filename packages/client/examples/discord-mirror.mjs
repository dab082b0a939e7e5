// Copies new messages both ways between channels of a Discord server and of a Parley server, until everybody has moved.
// Each copy is a line of parley-mirror.jsonl. Put this file into the archive that you import: then a message and its copy
// are one. A run goes on where the last one stopped. Settings: PARLEY_URL, BOT_TOKEN, DISCORD_TOKEN, and CHANNELS, such
// as <id at Discord>:<id at Parley>,<id at Discord>:<id at Parley>.
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createBot, createFileStore } from "@parley/client";
import { Client } from "discord.js";

const { PARLEY_URL: url = "", BOT_TOKEN: token, DISCORD_TOKEN, DISCORD_API, CHANNELS = "" } = process.env;
const file = "parley-mirror.jsonl";
const contentMax = 2_000; // of a bot's message at Discord
/** Ids of messages by those of their copies, both ways. */
const copies = new Map();
/** By both ids. */
const channels = new Map();
for (const pair of CHANNELS.split(",")) {
  const [discord, parley] = pair.split(":");
  const channel = { discord, parley, newest: null, turn: Promise.resolve() };
  channels.set(discord, channel).set(parley, channel);
}
function remember({ from, discord, parley }) {
  copies.set(discord.message, parley.message).set(parley.message, discord.message);
  if (from === "discord" && channels.has(discord.channel)) channels.get(discord.channel).newest = discord.message;
}
if (existsSync(file)) for (const line of readFileSync(file, "utf8").trim().split("\n")) remember(JSON.parse(line));

function keep(from, { discord, parley }, discordId, parleyId) {
  const ids = { discord: { channel: discord, message: discordId }, parley: { channel: parley, message: parleyId } };
  appendFileSync(file, `${JSON.stringify({ from, ...ids })}\n`);
  remember({ from, ...ids });
}

/** What one side refuses is left out. Other failures end the program: the next run goes on with the message. */
function refused(error) {
  if (!(error.status >= 400 && error.status < 500) || error.status === 401) throw error;
  bot.log(`Not copied: ${error.message}`);
}

async function toParley(channel, message) {
  if (message.system || message.author.id === discord.user.id || copies.has(message.id)) return;
  const text = message.cleanContent || message.embeds.map(({ title, description }) => title ?? description).join("\n");
  if (!text && message.attachments.size === 0) return;
  const body = { content: [...`**${message.author.displayName}**: ${text}`].slice(0, 4_000).join("") };
  const reply_to = copies.get(message.reference?.messageId);
  const read = async ({ url, name }) => new File([await (await fetch(url)).blob()], name);
  const files = await Promise.all(message.attachments.map(read));
  Object.assign(body, { nonce: `discord:${message.id}` }, reply_to && { reply_to }, files.length > 0 && { files });
  const sent = await bot.client.messages.send(channel.parley, body).catch(refused);
  if (sent) keep("discord", channel, message.id, sent.id);
}

async function toDiscord(channel, { id, author, content, reply_to, thread_id, attachments = [] }) {
  if (copies.has(id) || thread_id !== null) return;
  const target = await discord.channels.fetch(channel.discord);
  const text = [...`**${author?.username ?? "Deleted User"}**: ${content}`];
  const sent = [];
  const nonce = id.replaceAll("-", "").slice(0, 24); // Discord takes one character more.
  const first = { files: attachments.map((each) => ({ attachment: `${url}/api${each.url}`, name: each.filename })) };
  if (copies.has(reply_to)) first.reply = { messageReference: copies.get(reply_to), failIfNotExists: false };
  for (let part = 0; part * contentMax < text.length; part += 1) {
    const content = text.slice(part * contentMax, (part + 1) * contentMax).join("");
    const options = { nonce: `${nonce}${part}`, enforceNonce: true, allowedMentions: { parse: [] } };
    sent.push(await target.send({ content, ...options, ...(part === 0 && first) }).catch(refused));
  }
  for (const part of sent) if (part) keep("parley", channel, part.id, id);
}

/** Copies of a channel follow each other. */
function inTurn(channelId, work) {
  const channel = channels.get(channelId);
  if (channel) channel.turn = channel.turn.then(() => work(channel));
  return channel?.turn;
}
const bot = createBot({ url, token, store: createFileStore("discord-mirror.position") });
bot.on("MESSAGE_CREATE", (message) => inTurn(message.channel_id, (channel) => toDiscord(channel, message)));
bot.catch((error) => Promise.reject(error));

const intents = ["Guilds", "GuildMessages", "MessageContent"];
const discord = new Client({ intents, ...(DISCORD_API && { rest: { api: DISCORD_API } }) });
discord.on("messageCreate", (message) => inTurn(message.channelId, (channel) => toParley(channel, message)));
/** What was written while nobody listened. */
async function catchUp({ discord: id, newest }) {
  const { messages } = await discord.channels.fetch(id);
  for (let after = newest; after !== null; ) {
    const missed = [...(await messages.fetch({ after, limit: 100 })).values()].reverse();
    for (const message of missed) await toParley(channels.get(id), message);
    after = missed.at(-1)?.id ?? null;
  }
}
discord.on("shardReady", () => {
  for (const channel of new Set(channels.values())) inTurn(channel.discord, catchUp);
});
const ready = once(discord, "clientReady");
await discord.login(DISCORD_TOKEN);
await ready;
await bot.run();
await discord.destroy();
