import { ScheduledEvent } from "@parley/contracts";
import { type Database, defineStatement, jsonTime, serverExists } from "@parley/database";
import { memberObject } from "@parley/moderation";
import { hasPermission, overrideRoleOf, resolveChannelPermissions } from "@parley/permissions";
import type { ReadVoiceStates } from "@parley/voice";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { everyoneRole } from "../loading/guild.js";
import { readStoredMember, storedMemberText } from "../loading/member.js";
import { newestIn, newestRow } from "../loading/newest.js";
import {
  channelRow,
  emojiRow,
  emojisOfServer,
  jsonFields,
  jsonRows,
  overrideRow,
  roleRow,
  rolesOfServer,
} from "../loading/rows.js";
import { activeThreads, threadRow } from "../loading/threads.js";
import { toChannel, toThread } from "../objects/channel.js";
import { toEmoji } from "../objects/emoji.js";
import { toGuild } from "../objects/guild.js";
import { toMember } from "../objects/member.js";
import { toRole } from "../objects/role.js";
import { toEvent } from "../objects/scheduled-event.js";
import { toVoiceState } from "../objects/voice-state.js";
import { readsPresences } from "./intents.js";
import { isOnline, toMemberPresence } from "./presence.js";

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
  members: z.array(z.string()),
  has_all_members: z.boolean(),
  roles: z.array(roleRow),
  channels: z.array(channelRow.extend({ overrides: z.array(overrideRow), ...newestRow.shape })),
  emojis: z.array(emojiRow),
  events: z.array(ScheduledEvent.extend({ channel_id: z.string() })),
  voice: z.array(z.object({ user_id: z.string(), channel_id: z.string() })),
  threads: z.array(threadRow),
});

/** SQL of the scheduled event `e`; keys that may be missing are left out while they are null. */
const eventObject = `jsonb_build_object(${jsonFields("e", "id", "channel_id", "name", "description", "created_by")},
    'starts_at', ${jsonTime("e.starts_at")}, 'created_at', ${jsonTime("e.created_at")})
  || jsonb_strip_nulls(jsonb_build_object(${jsonFields("e", "place", "voice_channel_id", "interested_count")},
    'ends_at', ${jsonTime("e.ends_at")}))`;

const newest = newestIn("c.id");

/** SQL of the people in voice in the server `s`. */
const inVoice =
  "voice_announcements v WHERE v.kind = 'voice' AND v.channel_id IN (SELECT id FROM channels WHERE server_id = s.id)";

/** Servers $1 as the member $2 has them, in the order of their ids; with all members where there are at most $3, else with those in voice. */
const guildsStatement = defineStatement({
  name: "discord_gateway_guilds",
  text: `SELECT s.id, s.name, s.owner_id, s.icon_url, s.is_public, s.member_count, s.everyone_permissions, s.everyone_rights,
      ${storedMemberText} AS member,
      ${rolesOfServer} AS roles,
      ${jsonRows(
        `${jsonFields("c", "id", "server_id", "name", "type", "position", "category", "topic", "slow_mode_seconds", "user_limit")},
          'created_at', ${jsonTime("c.created_at")}, 'last_message_id', ${newest.last_message_id},
          'last_pin_at', ${newest.last_pin_at},
          'overrides', ${jsonRows(
            `'role_id', ${overrideRoleOf("c.server_id")}, ${jsonFields("o", "user_id", "allow", "deny")}`,
            "channel_overrides o WHERE o.channel_id = c.id",
          )}`,
        "channels c WHERE c.server_id = s.id",
      )} AS channels,
      ${emojisOfServer} AS emojis,
      coalesce((SELECT json_agg(${eventObject}) FROM scheduled_events e
        WHERE e.starts_at > now() AND e.channel_id IN (SELECT id FROM channels WHERE server_id = s.id)), '[]') AS events,
      ${jsonRows(jsonFields("v", "user_id", "channel_id"), inVoice)} AS voice,
      coalesce((SELECT json_agg(thread) FROM (${activeThreads("s.id")}) AS thread), '[]') AS threads,
      s.member_count <= $3::integer AS has_all_members,
      ARRAY (SELECT ${storedMemberText} FROM members m ${memberObject} WHERE m.server_id = s.id
        AND (s.member_count <= $3::integer OR m.user_id IN (SELECT v.user_id FROM ${inVoice}))) AS members
    FROM servers s
    JOIN members m ON m.server_id = s.id AND m.user_id = $2::uuid
    ${memberObject}
    WHERE s.id = ANY ($1::uuid[]) ORDER BY s.id`,
  row: Row,
});

/** For whom servers are read. */
export interface GuildReader {
  readonly bot: { readonly userId: string };
  readonly intents: number;
  /** With more members a server is a large one: clients request its members. */
  readonly largeThreshold: number;
}

/** A server as GUILD_CREATE has it. */
export type Guild = ReturnType<typeof toCreatedGuild>;

/** Reads the servers of bots, a few at a time. */
export type Guilds = ReturnType<typeof createGuilds>;

export function createGuilds({
  database,
  readVoiceStates,
}: {
  database: Pick<Database, "query">;
  readVoiceStates: ReadVoiceStates;
}) {
  return {
    /** Ids of the servers of a member behind one, in their order. @param after empty for all */
    serversOf: (userId: string, after: string): Promise<string[]> => database.query(serversOf, [userId, after]),
    /** Those of the servers that the reader is a member of, in the order of their ids. */
    async load(serverIds: readonly string[], reader: GuildReader): Promise<{ serverId: string; guild: Guild }[]> {
      const membersMax = readsPresences(reader.intents) ? reader.largeThreshold : 0;
      const values = [serverIds, reader.bot.userId, membersMax];
      const rows = serverIds.length === 0 ? [] : await database.query(guildsStatement, values);
      const states = await readVoiceStates(rows.flatMap(({ voice }) => voice.map(({ user_id }) => user_id)));
      return rows.map((row) => ({ serverId: row.id, guild: toCreatedGuild(row, reader, states) }));
    },
  };
}

function toCreatedGuild(
  row: z.infer<typeof Row>,
  { bot: { userId }, largeThreshold }: GuildReader,
  states: Awaited<ReturnType<ReadVoiceStates>>,
) {
  const { id, roles, channels, emojis, events, threads, has_all_members } = row;
  const member = readStoredMember(row.member);
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
  const voice = row.voice.filter(({ channel_id, user_id }) => seenIds.has(channel_id) && isShown({ id: user_id }));
  const inVoice = new Set(voice.map(({ user_id }) => user_id));
  const others = row.members
    .map(readStoredMember)
    .filter(({ user_id }) => user_id !== userId && isShown({ id: user_id }));
  const shownMembers = [member, ...others.filter(({ user_id }) => has_all_members || inVoice.has(user_id))];
  return {
    ...toGuild(row, {
      roles: [toRole(everyoneRole(id, row)), ...roles.filter(isShown).map(toRole)],
      emojis: emojis.filter(isShown).map(toEmoji),
    }),
    joined_at: member.joined_at,
    large: row.member_count > largeThreshold,
    unavailable: false,
    member_count: row.member_count,
    members: shownMembers.map(toMember),
    channels: seen.map(({ overrides, ...channel }) => toChannel(channel, overrides, channel)),
    // The channel is that of the last event, as events after it change this state.
    voice_states: voice.map((place) => toVoiceState({ ...states.get(place.user_id), ...place })),
    threads: threads.filter((thread) => isShown(thread) && seenIds.has(thread.channel_id)).map(toThread),
    presences: !has_all_members ? [] : shownMembers.filter(isOnline).map(toMemberPresence),
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
