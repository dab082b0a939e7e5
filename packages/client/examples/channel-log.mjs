// Keeps a channel as JSON lines in a file and on the screen: its history, oldest first, and then every new message, edit
// and deletion. Whenever it is killed, the next run goes on without a gap, and writes no message twice.
// Settings: PARLEY_URL, BOT_TOKEN, CHANNEL_ID.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createBot, createFileStore } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token, CHANNEL_ID: channelId } = process.env;
if (!channelId) {
  process.stderr.write("Set CHANNEL_ID to the id of the channel to keep.\n");
  process.exit(1);
}
const file = `channel-${channelId}.jsonl`;
let newest = "";
if (existsSync(file)) {
  // A run that was killed in the middle of a line has not written it.
  for (const line of readFileSync(file, "utf8").split("\n").slice(0, -1)) {
    const { what, message } = JSON.parse(line);
    if (what === "created") newest = message.id;
  }
}

function write(what, message) {
  // Ids sort by the time of creation. The event that was in hand when a run was killed comes again.
  if (what === "created" && message.id <= newest) return;
  const line = `${JSON.stringify({ what, message })}\n`;
  appendFileSync(file, line);
  process.stdout.write(line);
  if (what === "created") newest = message.id;
}

const bot = createBot({ url, token, store: createFileStore(`${file}.position`), ownMessages: true });
const follow = (what) => (message) => {
  if (message.channel_id === channelId) write(what, message);
};
// The first run, or one after missed events; events that come meanwhile wait for the end of this handler.
bot.on("READY", async () => {
  const missed = [];
  for await (const message of bot.client.pages.messages(channelId)) {
    if (message.id <= newest) break;
    missed.push(message);
  }
  for (const message of missed.reverse()) write("created", message);
});
bot.on("MESSAGE_CREATE", follow("created"));
bot.on("MESSAGE_UPDATE", follow("updated"));
bot.on("MESSAGE_DELETE", follow("deleted"));
// A line that could not be written ends the bot: the next run gets the event again.
bot.catch((error) => {
  throw error;
});
await bot.run();
