import type { DetailedMessage, SentMessage } from "@parley/contracts";
import { defineStatement, jsonTime } from "@parley/database";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { threadRow } from "../loading/rows.js";
import { toThread } from "../objects/channel.js";
import { discordError } from "../rest/errors.js";
import { readInput } from "../rest/input.js";
import { Answer, type BotCall, noContent, route } from "../rest/route.js";
import { placeOf } from "./channels.js";
import { serverOf } from "./guilds.js";
import { messageOf } from "./messages.js";

const threadsMax = 100;

/** The threads with the newest replies in channels that the bot may view. */
const findThreads = defineStatement({
  name: "discord_threads",
  text: `
SELECT m.id, m.channel_id, m.server_id, m.author_id, m.content, m.thread_reply_count, ${jsonTime("m.created_at")} AS created_at
FROM messages m WHERE m.channel_id = ANY ($1::uuid[]) AND m.listed AND m.thread_reply_count > 0
ORDER BY m.created_at DESC, m.id DESC LIMIT $2`,
  row: threadRow,
});

async function startFromMessage(call: BotCall) {
  const place = await placeOf(call);
  if (place.kind !== "channel") throw discordError(50024);
  const id = await messageOf(call, place);
  const root = await call.api.get<DetailedMessage>(`/channels/${place.id}/messages/${id}`);
  if (root.deleted) throw discordError(10008);
  if (root.thread_id !== null) throw discordError(50024);
  if (root.thread_reply_count > 0) throw discordError(160004);
  return new Answer(201, toThread({ ...root, server_id: place.serverId }));
}

const threadInput = z.object({ name: z.string().min(1).max(100) });

/** A thread without a message begins with a message of its name. */
async function start(call: BotCall) {
  const place = await placeOf(call);
  if (place.kind !== "channel") throw discordError(50024);
  const { name } = readInput(threadInput, call.body);
  const root = await call.api.send<SentMessage>("POST", `/channels/${place.id}/messages`, { content: name });
  return new Answer(201, toThread({ ...root, server_id: place.serverId }));
}

async function activeThreads(call: BotCall) {
  const serverId = await serverOf(call);
  const channels = await call.api.get<{ id: string }[]>(`/servers/${serverId}/channels`);
  const rows = await call.database.query(findThreads, [channels.map(({ id }) => id), threadsMax]);
  return { threads: rows.filter(isShown).map(toThread), members: [] };
}

async function archivedThreads(call: BotCall) {
  const place = await placeOf(call);
  if (place.kind !== "channel") throw discordError(50024);
  await call.api.get(`/channels/${place.id}`);
  return { threads: [], members: [], has_more: false };
}

/** Everybody who may view a thread is in it: there is no list of its members. */
async function threadMember(call: BotCall) {
  const place = await placeOf(call);
  if (place.kind !== "thread") throw discordError(50024);
  const root = await call.api.get<DetailedMessage>(`/channels/${place.channelId}/messages/${place.id}`);
  const userId =
    call.params.user_id === undefined || call.params.user_id === "@me"
      ? snowflakeOf(call.bot.userId)
      : call.params.user_id;
  return { id: snowflakeOf(place.id), user_id: userId, join_timestamp: root.created_at, flags: 0 };
}

const members = "/channels/:channel_id/thread-members";

export const threadRoutes = [
  route("POST", "/channels/:channel_id/messages/:message_id/threads", startFromMessage),
  route("POST", "/channels/:channel_id/threads", start),
  route("GET", "/guilds/:guild_id/threads/active", activeThreads),
  route("GET", "/channels/:channel_id/threads/archived/public", archivedThreads),
  route("GET", "/channels/:channel_id/threads/archived/private", archivedThreads),
  route("GET", "/channels/:channel_id/users/@me/threads/archived/private", archivedThreads),
  route("GET", members, async (call) => [await threadMember(call)]),
  route("GET", `${members}/:user_id`, threadMember),
  ...(["PUT", "DELETE"] as const).map((method) =>
    route(method, `${members}/:user_id`, async (call) => {
      await threadMember(call);
      return noContent;
    }),
  ),
];
