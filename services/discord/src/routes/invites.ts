import type { Channel, Invite, Server } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { type APIExtendedInvite, type APIInvite, ChannelType, InviteType } from "discord-api-types/v10";
import { z } from "zod";
import { snowflakeOf } from "../ids/snowflake.js";
import { loadPeople } from "../loading/context.js";
import { featuresOf } from "../objects/guild.js";
import { inviteLimits } from "../objects/invite.js";
import { pictureHash } from "../objects/user.js";
import { DiscordError, discordError } from "../rest/errors.js";
import { isSet, readInput } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { channelOf } from "./channels.js";
import { serverOf } from "./guilds.js";

const findInvite = defineStatement({
  name: "discord_invite",
  text: `SELECT i.id, i.server_id, i.created_by, s.name, s.icon_url, s.is_public, i.expires_at
    FROM invites i JOIN servers s ON s.id = i.server_id WHERE i.code = $1`,
  row: z.object({
    id: z.string(),
    server_id: z.string(),
    created_by: z.string().nullable(),
    name: z.string(),
    icon_url: z.string().nullable(),
    is_public: z.boolean(),
    expires_at: z.date().nullable(),
  }),
});

type Guild = Pick<Server, "id" | "name" | "icon_url" | "is_public">;
type Place = Pick<Channel, "id" | "name" | "type"> | null;

function toInvite(guild: Guild, code: string, expiresAt: string | null, channel: Place): APIInvite {
  return {
    type: InviteType.Guild,
    code,
    guild: {
      id: snowflakeOf(guild.id),
      name: guild.name,
      icon: pictureHash(guild.icon_url),
      splash: null,
      banner: null,
      description: null,
      features: featuresOf(guild),
      verification_level: 0,
      vanity_url_code: null,
      nsfw_level: 0,
      premium_subscription_count: 0,
    },
    channel: channel === null ? null : { id: snowflakeOf(channel.id), name: channel.name, type: channelType(channel) },
    expires_at: expiresAt,
  };
}
const channelType = ({ type }: Pick<Channel, "type">) =>
  type === "voice" ? ChannelType.GuildVoice : ChannelType.GuildText;

const hourSeconds = 3_600;

async function show(
  call: BotCall,
  guild: Guild,
  invites: readonly Invite[],
  channel: Place,
): Promise<APIExtendedInvite[]> {
  const people = await loadPeople(
    call.database,
    invites.map(({ created_by }) => created_by),
  );
  return invites.map((invite) => ({
    ...toInvite(guild, invite.code, invite.expires_at, channel),
    ...people("inviter", invite.created_by),
    ...inviteLimits(invite),
    temporary: false,
    created_at: invite.created_at,
  }));
}

const inviteInput = z.object({
  max_age: z.int().min(0).max(2_592_000).nullish(),
  max_uses: z.int().min(0).max(100).nullish(),
});
const dayHours = 24;
const hoursMax = 720;

async function guildAndChannel(call: BotCall): Promise<{ guild: Server; channel: Channel }> {
  const place = await channelOf(call);
  const [guild, channel] = await Promise.all([
    call.api.get<Server>(`/servers/${place.serverId}`),
    call.api.get<Channel>(`/channels/${place.id}`),
  ]);
  return { guild, channel };
}

async function createInvite(call: BotCall) {
  const { max_age, max_uses } = readInput(inviteInput, call.body);
  const { guild, channel } = await guildAndChannel(call);
  const hours = max_age === undefined || max_age === null ? dayHours : Math.ceil(max_age / hourSeconds);
  const invite = await call.api.send<Invite>("POST", `/servers/${guild.id}/invites`, {
    ...(hours > 0 ? { expires_in_hours: Math.min(hours, hoursMax) } : {}),
    ...(max_uses ? { max_uses } : {}),
  });
  const [shown] = await show(call, guild, [invite], channel);
  return shown;
}

/** Invites here lead to a server: the channel is its first one, as libraries want one that they know. */
async function firstChannel({ api }: BotCall, serverId: string): Promise<Place> {
  const channels = await api.get<Channel[]>(`/servers/${serverId}/channels`).catch(() => []);
  return channels.find(({ type }) => type === "text") ?? null;
}

/** How many members of a server are online: 0 for a bot that is none of them. */
async function onlineIn({ api }: BotCall, serverId: string): Promise<number> {
  const path = `/servers/${serverId}/members/count`;
  const { online } = await api.get<{ online: number }>(path).catch((error: unknown) => {
    if (error instanceof DiscordError && error.status < 500) return { online: 0 };
    throw error;
  });
  return online;
}

/** The fields of an invite that anybody with the code may see. */
async function getInvite(call: BotCall) {
  const code = call.params.code ?? "";
  const preview = await call.api.get<{ member_count: number; expires_at: string | null }>(
    `/invites/${encodeURIComponent(code)}`,
  );
  const [found] = await call.database.query(findInvite, [code]);
  if (found === undefined) throw discordError(10006);
  const people = await loadPeople(call.database, [found.created_by]);
  const isCounted = isSet(call.query, "with_counts");
  const online = isCounted ? await onlineIn(call, found.server_id) : 0;
  return {
    found,
    shown: {
      ...toInvite(
        { ...found, id: found.server_id },
        code,
        preview.expires_at,
        await firstChannel(call, found.server_id),
      ),
      ...people("inviter", found.created_by),
      ...(isCounted ? { approximate_member_count: preview.member_count, approximate_presence_count: online } : {}),
    },
  };
}

export const inviteRoutes = [
  route("GET", "/channels/:channel_id/invites", async (call) => {
    const { guild, channel } = await guildAndChannel(call);
    return show(call, guild, await call.api.get<Invite[]>(`/servers/${guild.id}/invites`), channel);
  }),
  route("POST", "/channels/:channel_id/invites", createInvite),
  route("GET", "/guilds/:guild_id/invites", async (call) => {
    const guild = await call.api.get<Server>(`/servers/${await serverOf(call)}`);
    const invites = await call.api.get<Invite[]>(`/servers/${guild.id}/invites`);
    return show(call, guild, invites, await firstChannel(call, guild.id));
  }),
  route("GET", "/invites/:code", async (call) => (await getInvite(call)).shown),
  route("DELETE", "/invites/:code", async (call) => {
    const { found, shown } = await getInvite(call);
    await call.api.send("DELETE", `/servers/${found.server_id}/invites/${found.id}`);
    return shown;
  }),
];
