import { Member, ScheduledEvent } from "@parley/contracts";
import { type Database, defineStatement, jsonTime, serverExists } from "@parley/database";
import { memberObject, memberText } from "@parley/moderation";
import { hasPermission, overrideRoleOf, resolveChannelPermissions } from "@parley/permissions";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { everyoneRole } from "../loading/guild.js";
import { channelRow, emojiRow, overrideRow, roleColumns, roleRow } from "../loading/rows.js";
import { toChannel } from "../objects/channel.js";
import { toEmoji } from "../objects/emoji.js";
import { toGuild } from "../objects/guild.js";
import { toMember } from "../objects/member.js";
import { toRole } from "../objects/role.js";
import { toEvent } from "../objects/scheduled-event.js";
import { toVoiceState } from "./voice-state.js";

const serversOf = defineStatement({
  name: "discord_gateway_servers_of",
  text: `SELECT m.server_id FROM members m
    WHERE m.user_id = $1::uuid AND ($2 = '' OR m.server_id > nullif($2, '')::uuid) AND ${serverExists("m.server_id")}
    ORDER BY m.server_id`,
  row: (row) => String(row.server_id),
});

const Row = z.object({
  id: z.string(),
  name: z.string(),
  owner_id: z.string(),
  icon_url: z.string().nullable(),
  is_public: z.boolean(),
  member_count: z.int(),
  everyone_permissions: z.int(),
  everyone_rights: z.int(),
  member: z.string(),
  bot_name: z.string().nullable(),
  roles: z.array(roleRow),
  channels: z.array(channelRow.extend({ overrides: z.array(overrideRow) })),
  emojis: z.array(emojiRow),
  events: z.array(ScheduledEvent.extend({ channel_id: z.string() })),
  voice: z.array(z.object({ user_id: z.string(), channel_id: z.string() })),
});

const list = (columns: string, from: string) =>
  `coalesce((SELECT json_agg(json_build_object(${columns})) FROM ${from}), '[]')`;
const fields = (alias: string, ...names: string[]) => names.map((name) => `'${name}', ${alias}.${name}`).join(", ");

/** Servers $1 as the member $2 has them, in the order of their ids. */
const guildsStatement = defineStatement({
  name: "discord_gateway_guilds",
  text: `SELECT s.id, s.name, s.owner_id, s.icon_url, s.is_public, s.member_count, s.everyone_permissions, s.everyone_rights,
      ${memberText} AS member, (SELECT b.name FROM bots b WHERE b.user_id = m.user_id) AS bot_name,
      ${list(fields("r", ...roleColumns), "roles r WHERE r.server_id = s.id")} AS roles,
      ${list(
        `${fields("c", "id", "server_id", "name", "type", "position", "category", "topic", "slow_mode_seconds")},
          'created_at', ${jsonTime("c.created_at")},
          'overrides', ${list(
            `'role_id', ${overrideRoleOf("c.server_id")}, ${fields("o", "user_id", "allow", "deny")}`,
            "channel_overrides o WHERE o.channel_id = c.id",
          )}`,
        "channels c WHERE c.server_id = s.id",
      )} AS channels,
      ${list(fields("e", "id", "name", "content_type"), "custom_emojis e WHERE e.server_id = s.id")} AS emojis,
      ${list(
        `${fields("e", "id", "channel_id", "name", "description", "created_by")}, 'starts_at', ${jsonTime("e.starts_at")},
          'created_at', ${jsonTime("e.created_at")}`,
        "scheduled_events e WHERE e.starts_at > now() AND e.channel_id IN (SELECT id FROM channels WHERE server_id = s.id)",
      )} AS events,
      ${list(
        fields("v", "user_id", "channel_id"),
        "voice_announcements v WHERE v.kind = 'voice' AND v.channel_id IN (SELECT id FROM channels WHERE server_id = s.id)",
      )} AS voice
    FROM servers s
    JOIN members m ON m.server_id = s.id AND m.user_id = $2::uuid
    ${memberObject}
    WHERE s.id = ANY ($1::uuid[]) ORDER BY s.id`,
  row: Row,
});

/** A server as GUILD_CREATE has it. */
export type Guild = ReturnType<typeof toCreatedGuild>;

/** Reads the servers of bots, a few at a time. */
export type Guilds = ReturnType<typeof createGuilds>;

export function createGuilds({ database }: { database: Pick<Database, "query"> }) {
  return {
    /** Ids of the servers of a member behind one, in their order. @param after empty for all */
    serversOf: (userId: string, after: string): Promise<string[]> => database.query(serversOf, [userId, after]),
    /** Those of the servers that the user is a member of, in the order of their ids. */
    async load(serverIds: readonly string[], userId: string): Promise<{ serverId: string; guild: Guild }[]> {
      const rows = serverIds.length === 0 ? [] : await database.query(guildsStatement, [serverIds, userId]);
      return rows.map((row) => ({ serverId: row.id, guild: toCreatedGuild(row, userId) }));
    },
  };
}

function toCreatedGuild(row: z.infer<typeof Row>, userId: string) {
  const { id, roles, channels, emojis, events, voice } = row;
  const member = Member.parse(JSON.parse(row.member));
  const own = new Set(member.roles.map((role) => role.id));
  const access = {
    isOwner: row.owner_id === userId,
    userId,
    everyone: { id, permissions: row.everyone_permissions },
    roles: roles.filter((role) => own.has(role.id)),
  };
  const mayView = ({ overrides }: (typeof channels)[number]) =>
    hasPermission(resolveChannelPermissions({ ...access, overrides }), "VIEW_CHANNEL");
  const seen = channels.filter((channel) => isShown(channel) && mayView(channel));
  const seenIds = new Set(seen.map((channel) => channel.id));
  return {
    ...toGuild(row, {
      // The bot's own role is the one of its roles that has the bot's name.
      roles: [everyoneRole(id, row), ...roles.filter(isShown)].map((role) =>
        toRole(role, own.has(role.id) && role.name === row.bot_name ? userId : undefined),
      ),
      emojis: emojis.filter(isShown).map(toEmoji),
    }),
    joined_at: member.joined_at,
    large: false,
    unavailable: false,
    member_count: row.member_count,
    members: [toMember(member)],
    channels: seen.map(({ overrides, ...channel }) => toChannel(channel, overrides)),
    voice_states: voice
      .filter(({ channel_id }) => seenIds.has(channel_id))
      .map(({ user_id, channel_id }) => toVoiceState({ user_id, channel_id })),
    threads: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: events
      .filter((event) => isShown(event) && seenIds.has(event.channel_id))
      .map((event) => toEvent(event, id)),
    soundboard_sounds: [],
  };
}

/** The fields of a guild that GUILD_UPDATE contains. */
export function toUpdatedGuild(guild: Guild): object {
  const { joined_at, large, unavailable, member_count, members, channels, voice_states, ...others } = guild;
  const { threads, presences, stage_instances, guild_scheduled_events, soundboard_sounds, ...updated } = others;
  return updated;
}

/** GUILD_DELETE of a server that the bot is no member of any more. */
export const toDeletedGuild = (serverId: string) => ({ id: snowflakeOf(serverId) });
