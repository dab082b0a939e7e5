// Deletes messages with forbidden words, and bars whoever uses them for the third time from writing for ten minutes.
// The bot needs a role with Manage Messages and Mute Members. Settings: PARLEY_URL, BOT_TOKEN, FORBIDDEN (comma list).
import { createClient, ParleyError } from "@parley/client";

const { PARLEY_URL: baseUrl = "http://localhost:8080", BOT_TOKEN: botToken = "", FORBIDDEN = "" } = process.env;
const forbidden = FORBIDDEN.toLowerCase()
  .split(",")
  .filter((word) => word !== "");
const strikesMax = 3;
const timeoutMinutes = 10;

const client = createClient({ baseUrl, botToken });
const strikes = new Map();
const serverOfChannel = new Map();

async function serverOf(channelId) {
  if (!serverOfChannel.has(channelId)) serverOfChannel.set(channelId, (await client.channels.get(channelId)).server_id);
  return serverOfChannel.get(channelId);
}

async function judge({ id, channel_id, author_id, content }) {
  const word = forbidden.find((candidate) => content.toLowerCase().includes(candidate));
  if (word === undefined || author_id === null) return;
  await client.messages.delete(id);
  const serverId = await serverOf(channel_id);
  const key = `${serverId} ${author_id}`;
  const count = (strikes.get(key) ?? 0) + 1;
  strikes.set(key, count % strikesMax);
  process.stdout.write(`${author_id}: strike ${count} for "${word}"\n`);
  if (count < strikesMax) return;
  const reason = `Said "${word}", the third forbidden word`;
  await client.moderation.timeout(serverId, author_id, { duration_minutes: timeoutMinutes, reason });
  process.stdout.write(`${author_id}: timed out\n`);
}

function judgeAndReport(message) {
  judge(message).catch((error) => {
    // The owner cannot be moderated, and somebody else may have deleted the message first.
    if (!(error instanceof ParleyError)) throw error;
    process.stderr.write(`${error.message} (request ${error.requestId})\n`);
  });
}

const gateway = client.gateway({
  presence: "none",
  events: ["MESSAGE_CREATE", "MESSAGE_UPDATE", "THREAD_MESSAGE_CREATE"],
});
gateway.on("MESSAGE_CREATE", judgeAndReport);
gateway.on("MESSAGE_UPDATE", judgeAndReport);
gateway.on("THREAD_MESSAGE_CREATE", judgeAndReport);
await gateway.connect();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => gateway.close());
process.stdout.write(`Watching for ${forbidden.join(", ")}\n`);
