// Writes a channel as JSON lines: its history, oldest first, and then every new message, edit and deletion.
// Settings: PARLEY_URL, BOT_TOKEN, CHANNEL_ID.
import { createClient } from "@parley/client";

const { PARLEY_URL: baseUrl = "http://localhost:8080", BOT_TOKEN: botToken = "" } = process.env;
const { CHANNEL_ID: channelId = "" } = process.env;
const client = createClient({ baseUrl, botToken });

const write = (what, message) => process.stdout.write(`${JSON.stringify({ what, message })}\n`);
let newest = "";
// What arrives while the history is read waits.
let waiting = [];

function record(event, message) {
  if (message.channel_id !== channelId) return;
  if (waiting !== null) {
    waiting.push([event, message]);
    return;
  }
  // Ids sort by the time of creation: what the history had is not written again.
  if (event === "created" && message.id <= newest) return;
  if (event === "created") newest = message.id;
  write(event, message);
}

/** Writes what is newer than the last message written, and then what arrived meanwhile. */
async function catchUp() {
  const missed = [];
  for await (const message of client.pages.messages(channelId)) {
    if (message.id <= newest) break;
    missed.push(message);
  }
  for (const message of missed.reverse()) {
    newest = message.id;
    write("created", message);
  }
  const arrived = waiting;
  waiting = null;
  for (const [event, message] of arrived) record(event, message);
}

const gateway = client.gateway({ presence: "none", events: ["MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"] });
gateway.on("MESSAGE_CREATE", (message) => record("created", message));
gateway.on("MESSAGE_UPDATE", (message) => record("updated", message));
gateway.on("MESSAGE_DELETE", (message) => record("deleted", message));
gateway.on("resync", async () => {
  waiting ??= [];
  await catchUp();
});
await gateway.connect();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => gateway.close());
await catchUp();
