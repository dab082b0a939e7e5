import type { AnyDmChannel, Channel, ChannelOverride } from "@parley/contracts";
import type { APIChannel } from "discord-api-types/v10";
import { z } from "zod";
import { isShown } from "../ids/snowflake.js";
import { loadOverrides } from "../loading/guild.js";
import { loadNewest } from "../loading/newest.js";
import { findPlace, type Place } from "../loading/place.js";
import { toChannel, toDirectChannel } from "../objects/channel.js";
import { fromDiscordBits } from "../permissions.js";
import { discordError } from "../rest/errors.js";
import { bitsInput, readInput, snowflakeInput } from "../rest/input.js";
import { Answer, type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";
import { changeThread, shownThread } from "./thread.js";

/** The place that a channel's id in the path names. */
export const placeOf = ({ database, params }: Pick<BotCall, "database" | "params">): Promise<Place> =>
  findPlace(database, params.channel_id ?? "");

/** The same for what channels of servers have alone. @throws DiscordError 50024 */
export async function channelOf(
  call: Pick<BotCall, "database" | "params">,
): Promise<Extract<Place, { kind: "channel" }>> {
  const place = await placeOf(call);
  if (place.kind !== "channel") throw discordError(50024);
  return place;
}

/** Channels with their overwrites, in one statement for all of them. */
async function shownChannels({ database }: BotCall, channels: readonly Channel[]) {
  const shown = channels.filter(isShown);
  const ids = shown.map(({ id }) => id);
  const [overrides, newest] = await Promise.all([loadOverrides(database, ids), loadNewest(database, ids)]);
  return shown.map((channel) => toChannel(channel, overrides.get(channel.id) ?? [], newest.get(channel.id)));
}

async function shownChannel(call: BotCall, channel: Channel): Promise<APIChannel> {
  const [shown] = await shownChannels(call, [channel]);
  if (shown === undefined) throw discordError(10003);
  return shown;
}

async function getChannel(call: BotCall): Promise<APIChannel> {
  const place = await placeOf(call);
  if (place.kind === "channel") return shownChannel(call, await call.api.get<Channel>(`/channels/${place.id}`));
  if (place.kind === "thread") return shownThread(call, place);
  const channels = await call.api.get<AnyDmChannel[]>("/dm-channels?groups=true");
  const found = channels.find(({ id }) => id === place.id);
  if (found === undefined) throw discordError(10003);
  return toDirectChannel(found, (await loadNewest(call.database, [found.id])).get(found.id));
}

const overwriteInput = z.object({
  type: z.union([z.int(), z.enum(["role", "member"])]).default(0),
  allow: bitsInput.default(0n),
  deny: bitsInput.default(0n),
});
/** People in a voice channel. */
const userLimitMax = 99;
const slowMode = z.int().min(0).max(21_600).nullish();
const channelChange = z.object({
  name: z.string().min(1).max(100).nullish(),
  topic: z.string().max(1024).nullish(),
  position: z.int().min(0).nullish(),
  rate_limit_per_user: slowMode,
  user_limit: z.int().min(0).max(userLimitMax).nullish(),
  permission_overwrites: z.array(overwriteInput.extend({ id: snowflakeInput })).nullish(),
});
type ChannelChange = z.output<typeof channelChange>;
const newChannel = channelChange.extend({ name: z.string().min(1).max(100), type: z.int().nullish() });
const voiceTypes = [2, 13];

/** Our fields for the fields that a bot sets of a channel. */
function fieldsOf({ name, topic, position, rate_limit_per_user: seconds, user_limit }: ChannelChange) {
  return {
    name: name ?? undefined,
    topic,
    position: position ?? undefined,
    slow_mode_seconds: seconds === undefined ? undefined : (seconds ?? 0),
    user_limit: user_limit === undefined ? undefined : (user_limit ?? 0),
  };
}

async function createChannel(call: BotCall) {
  const { api, body } = call;
  const serverId = await serverOf(call);
  const { type, ...input } = readInput(newChannel, body);
  const kind = voiceTypes.includes(type ?? 0) ? "voice" : "text";
  const { name, topic, ...others } = fieldsOf(kind === "voice" ? input : { ...input, user_limit: undefined });
  let channel = await api.send<Channel>("POST", `/servers/${serverId}/channels`, { name, topic, type: kind });
  for (const { id, ...overwrite } of grantsFirst(input.permission_overwrites ?? [])) {
    await putOverwrite(call, { channelId: channel.id, serverId }, id, overwrite);
  }
  const isMore = others.position !== undefined || others.slow_mode_seconds || others.user_limit;
  if (isMore) channel = await api.send<Channel>("PATCH", `/channels/${channel.id}`, others);
  return new Answer(201, await shownChannel(call, channel));
}

async function changeChannel(call: BotCall) {
  const { api, body } = call;
  const place = await placeOf(call);
  const input = readInput(channelChange, body);
  if (place.kind === "direct") {
    return toDirectChannel(await api.send<AnyDmChannel>("PATCH", `/dm-channels/${place.id}`, { name: input.name }));
  }
  if (place.kind === "thread") return changeThread(call, place);
  const channel = await api.send<Channel>("PATCH", `/channels/${place.id}`, fieldsOf(input));
  if (input.permission_overwrites) await replaceOverwrites(call, place, input.permission_overwrites);
  return shownChannel(call, channel);
}

async function deleteChannel(call: BotCall) {
  const { api } = call;
  const place = await placeOf(call);
  if (place.kind === "thread") throw discordError(50024);
  const channel = await getChannel(call);
  await api.send(
    "DELETE",
    place.kind === "direct" ? `/dm-channels/${place.id}/recipients/@me` : `/channels/${place.id}`,
  );
  return channel;
}

/** Overwrites that only grant come before those that deny, or the bot could lock itself out before it has finished. */
const grantsFirst = <Overwrite extends { deny: bigint }>(overwrites: readonly Overwrite[]): Overwrite[] =>
  overwrites.toSorted((a, b) => Number(a.deny > 0n) - Number(b.deny > 0n));

interface OverwritePlace {
  readonly channelId: string;
  readonly serverId: string;
}

async function putOverwrite(
  { api, id }: BotCall,
  { channelId, serverId }: OverwritePlace,
  target: string,
  { type, allow, deny }: z.output<typeof overwriteInput>,
): Promise<ChannelOverride> {
  const isRole = type === 0 || type === "role";
  const targetId = await (isRole ? roleOf(id, target, serverId) : id("user", target, 10013));
  return api.send<ChannelOverride>("PUT", `/channels/${channelId}/overrides`, {
    [isRole ? "role_id" : "user_id"]: targetId,
    allow: fromDiscordBits(allow),
    deny: fromDiscordBits(deny),
  });
}

/** A role of a server; the everyone role has the server's id. */
export async function roleOf(id: BotCall["id"], snowflake: string, serverId: string): Promise<string> {
  const server = await id("server", snowflake, 10011).catch(() => null);
  return server === serverId ? serverId : id("role", snowflake, 10011, serverId);
}

async function replaceOverwrites(
  call: BotCall,
  { id: channelId, serverId }: Extract<Place, { kind: "channel" }>,
  wanted: NonNullable<ChannelChange["permission_overwrites"]>,
) {
  const before = await call.api.get<ChannelOverride[]>(`/channels/${channelId}/overrides`);
  const kept: string[] = [];
  for (const { id, ...overwrite } of grantsFirst(wanted)) {
    kept.push((await putOverwrite(call, { channelId, serverId }, id, overwrite)).id);
  }
  for (const { id } of before) {
    if (!kept.includes(id)) await call.api.send("DELETE", `/channels/${channelId}/overrides/${id}`);
  }
}

async function deleteOverwrite(call: BotCall) {
  const { api, id, params } = call;
  const place = await channelOf(call);
  const target = params.overwrite_id ?? "";
  const targets = await Promise.all([
    roleOf(id, target, place.serverId).catch(() => null),
    id("user", target, 10009).catch(() => null),
  ]);
  const overrides = await api.get<ChannelOverride[]>(`/channels/${place.id}/overrides`);
  const found = overrides.find(({ role_id, user_id }) => targets.includes(role_id ?? user_id));
  if (found === undefined) throw discordError(10009);
  await api.send("DELETE", `/channels/${place.id}/overrides/${found.id}`);
}

const positions = z.array(z.object({ id: snowflakeInput, position: z.int().min(0).nullish() }));

export const channelRoutes = [
  route("GET", "/guilds/:guild_id/channels", async (call) =>
    shownChannels(call, await call.api.get<Channel[]>(`/servers/${await serverOf(call)}/channels`)),
  ),
  route("POST", "/guilds/:guild_id/channels", createChannel),
  route("PATCH", "/guilds/:guild_id/channels", async (call) => {
    const serverId = await serverOf(call);
    for (const { id, position } of readInput(positions, call.body)) {
      if (position === null || position === undefined) continue;
      await call.api.send("PATCH", `/channels/${await call.id("channel", id, 10003, serverId)}`, { position });
    }
  }),
  route("GET", "/channels/:channel_id", getChannel),
  route("PATCH", "/channels/:channel_id", changeChannel),
  route("DELETE", "/channels/:channel_id", deleteChannel),
  route("PUT", "/channels/:channel_id/permissions/:overwrite_id", async (call) => {
    const place = await channelOf(call);
    const where = { channelId: place.id, serverId: place.serverId };
    await putOverwrite(call, where, call.params.overwrite_id ?? "", readInput(overwriteInput, call.body));
  }),
  route("DELETE", "/channels/:channel_id/permissions/:overwrite_id", deleteOverwrite),
];
