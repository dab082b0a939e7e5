import type { DetailedMessage } from "@parley/contracts";
import type { APIPublicThreadChannel } from "discord-api-types/v10";
import { z } from "zod";
import type { Place } from "../loading/place.js";
import { findThreads } from "../loading/threads.js";
import { toThread } from "../objects/channel.js";
import { discordError } from "../rest/errors.js";
import { readInput } from "../rest/input.js";
import type { BotCall } from "../rest/route.js";

type ThreadPlace = Extract<Place, { kind: "thread" }>;

/** The root message of a thread, if the bot may view it. @throws DiscordError */
export const rootOf = ({ api }: BotCall, { channelId, id }: ThreadPlace) =>
  api.get<DetailedMessage>(`/channels/${channelId}/messages/${id}`);

/** One thread; of one without replies the title is the one that it is to get. @throws DiscordError 10003 where none began */
export async function shownThread(call: BotCall, place: ThreadPlace): Promise<APIPublicThreadChannel> {
  const root = await rootOf(call, place);
  const [thread] = await call.database.query(findThreads, [[place.id]]);
  if (thread !== undefined) return toThread(thread);
  const title = await call.threadNames.read(place.id);
  if (title === null) throw discordError(10003);
  return toThread({ ...root, server_id: place.serverId, title });
}

const threadChange = z.object({
  name: z.string().min(1).max(100).nullish(),
  archived: z.boolean().nullish(),
  locked: z.boolean().nullish(),
});

/** Archived and locked are one state here: closed (docs/discord.md#rules). */
export async function changeThread(call: BotCall, place: ThreadPlace): Promise<APIPublicThreadChannel> {
  const { name, archived = null, locked = null } = readInput(threadChange, call.body);
  const title = name ?? undefined;
  const closed = archived === null && locked === null ? undefined : archived === true || locked === true;
  const { thread_reply_count } = await rootOf(call, place);
  if (thread_reply_count === 0) await shownThread(call, place);
  if (title !== undefined && thread_reply_count === 0) await call.threadNames.keep(place.id, title);
  else await call.api.send("PATCH", `/threads/${place.id}`, { title, closed });
  return shownThread(call, place);
}

/** Gives a thread the name that it was started with, once it has a reply; bots without the right to it leave it as it is. */
export async function nameBegunThread({ api, threadNames }: BotCall, place: Place): Promise<void> {
  if (place.kind !== "thread") return;
  const title = await threadNames.read(place.id);
  if (title === null) return;
  await threadNames.forget(place.id);
  await api.send("PATCH", `/threads/${place.id}`, { title }).catch(() => undefined);
}
