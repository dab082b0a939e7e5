import type { DetailedMessage, SentMessage } from "@parley/contracts";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { findActiveThreads, findArchivedThreads } from "../loading/threads.js";
import { toThread } from "../objects/channel.js";
import { discordError } from "../rest/errors.js";
import { numberOf, readInput, timeQuery } from "../rest/input.js";
import { Answer, type BotCall, route } from "../rest/route.js";
import { channelOf, placeOf } from "./channels.js";
import { serverOf } from "./guilds.js";
import { messageOf } from "./messages.js";
import { rootOf } from "./thread.js";

const threadInput = z.object({ name: z.string().min(1).max(100) });

async function startFromMessage(call: BotCall) {
  const { name } = readInput(threadInput, call.body);
  const place = await channelOf(call);
  const id = await messageOf(call, place);
  const root = await call.api.get<DetailedMessage>(`/channels/${place.id}/messages/${id}`);
  if (root.deleted) throw discordError(10008);
  if (root.thread_id !== null) throw discordError(50024);
  // One without a reply has begun, too.
  if (root.thread_reply_count > 0 || !(await call.threadNames.begin(id, name))) throw discordError(160004);
  call.announceThread({ id, channel_id: place.id, server_id: place.serverId, title: name });
  return new Answer(201, toThread({ ...root, server_id: place.serverId, title: name }));
}

/** A thread without a message begins with a message of its name. */
async function start(call: BotCall) {
  const place = await channelOf(call);
  const { name } = readInput(threadInput, call.body);
  const root = await call.api.send<SentMessage>("POST", `/channels/${place.id}/messages`, { content: name });
  await call.threadNames.begin(root.id, name);
  call.announceThread({ id: root.id, channel_id: place.id, server_id: place.serverId, title: name });
  return new Answer(201, toThread({ ...root, server_id: place.serverId }));
}

async function activeThreads(call: BotCall) {
  const serverId = await serverOf(call);
  const channels = await call.api.get<{ id: string }[]>(`/servers/${serverId}/channels`);
  const viewable = new Set(channels.map(({ id }) => id));
  const rows = await call.database.query(findActiveThreads, [serverId]);
  const shown = rows.filter((row) => isShown(row) && viewable.has(row.channel_id));
  return { threads: shown.map(toThread), members: [] };
}

/** The one with the newest reply first; `before` is a time of archiving. */
async function archivedThreads(call: BotCall) {
  const place = await channelOf(call);
  await call.api.get(`/channels/${place.id}`);
  const limit = numberOf(call.query, "limit", { fallback: 50, min: 1, max: 100 });
  const before = timeQuery(call.query, "before") ?? "infinity";
  const rows = await call.database.query(findArchivedThreads, [place.serverId, place.id, before, limit + 1]);
  const threads = rows.slice(0, limit).filter(isShown).map(toThread);
  return { threads, members: [], has_more: rows.length > limit };
}

/** There are none. */
async function privateThreads(call: BotCall) {
  await call.api.get(`/channels/${(await channelOf(call)).id}`);
  return { threads: [], members: [], has_more: false };
}

/** Everybody who may view a thread is in it: there is no list of its members. */
async function threadMember(call: BotCall) {
  const place = await placeOf(call);
  if (place.kind !== "thread") throw discordError(50024);
  const root = await rootOf(call, place);
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
  route("GET", "/channels/:channel_id/threads/archived/private", privateThreads),
  route("GET", "/channels/:channel_id/users/@me/threads/archived/private", privateThreads),
  route("GET", members, async (call) => [await threadMember(call)]),
  route("GET", `${members}/:user_id`, threadMember),
  ...(["PUT", "POST", "DELETE"] as const).map((method) =>
    route(method, `${members}/:user_id`, async (call) => {
      await threadMember(call);
    }),
  ),
];
