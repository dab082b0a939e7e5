import type { FileUrls } from "@parley/auth";
import {
  type Channel,
  type ChannelOverride,
  type Member,
  OwnCommand,
  type RightName,
  rightNamesOf,
} from "@parley/contracts";
import { type Database, defineStatement, jsonTime, rowsOfArrays, serverExists } from "@parley/database";
import { memberObject } from "@parley/moderation";
import {
  accessColumns,
  accessRow,
  overrideRoleOf,
  resolveAccess,
  resolveAccessRights,
  resolveRights,
} from "@parley/permissions";
import { z } from "zod";
import type { Known, Named } from "../loading/context.js";
import { readStoredMember, storedMemberText } from "../loading/member.js";
import { loadNewest } from "../loading/newest.js";
import { botOfRole, channelRow, emojiRow, roleColumns, roleRow } from "../loading/rows.js";
import { loadStored } from "../loading/stored.js";
import { activeInterval } from "../loading/threads.js";
import type { MemberFields } from "../objects/member.js";
import type { RoleFields } from "../objects/role.js";
import { channelServersMax } from "./limits.js";

/** A member, by server and user. */
export interface Membership {
  readonly serverId: string;
  readonly userId: string;
}
export const membershipKey = ({ serverId, userId }: Membership) => `${serverId} ${userId}`;

const channelServers = defineStatement({
  name: "discord_gateway_channel_servers",
  text: "SELECT id, server_id FROM channels WHERE id = ANY ($1::uuid[])",
  row: z.object({ id: z.string(), server_id: z.string() }),
});

const members = defineStatement({
  name: "discord_gateway_members",
  text: `SELECT m.server_id, ${storedMemberText} AS text
    FROM ${rowsOfArrays("uuid", "uuid")} AS asked (server_id, user_id)
    CROSS JOIN LATERAL (
      SELECT * FROM members WHERE server_id = asked.server_id AND user_id = asked.user_id OFFSET 0) AS m
    ${memberObject}`,
  row: z.object({ server_id: z.string(), text: z.string() }),
});

/** Channels as {@link accessColumns} shows them to a user, with all of their overrides and the roles that have rights. */
const channels = defineStatement({
  name: "discord_gateway_channels",
  text: `SELECT ${accessColumns("$2::uuid")}, s.is_public, c.id, c.server_id, c.name, c.type, c.position, c.category, c.topic,
      c.slow_mode_seconds, c.user_limit, ${jsonTime("c.created_at")} AS created_at,
      coalesce((SELECT json_agg(json_build_object('role_id', ${overrideRoleOf("c.server_id")}, 'user_id', o.user_id,
        'allow', o.allow, 'deny', o.deny)) FROM channel_overrides o WHERE o.channel_id = c.id), '[]') AS all_overrides,
      coalesce((SELECT json_object_agg(r.id, r.rights) FROM roles r WHERE r.server_id = c.server_id AND r.rights <> 0),
        '{}') AS role_rights
    FROM channels c JOIN servers s ON s.id = c.server_id WHERE c.id = ANY ($1::uuid[])`,
  row: accessRow.extend({
    is_public: z.boolean(),
    ...channelRow.shape,
    all_overrides: accessRow.shape.overrides,
    role_rights: z.record(z.string(), z.int()),
  }),
});

const emojisOfServer = defineStatement({
  name: "discord_gateway_emojis_of_server",
  text: "SELECT id, name, content_type FROM custom_emojis WHERE server_id = $1::uuid ORDER BY id",
  row: emojiRow,
});

/** Replies that begin a thread, or that bring it back after some time. */
const beginningReplies = defineStatement({
  name: "discord_gateway_beginning_replies",
  text: `SELECT asked.reply_id AS id, previous.created_at IS NULL AS is_first
    FROM ${rowsOfArrays("uuid", "uuid")} AS asked (root_id, reply_id)
    LEFT JOIN LATERAL (
      SELECT created_at FROM messages m
      WHERE m.thread_id = asked.root_id AND (m.created_at, m.id) < (uuid_extract_timestamp(asked.reply_id), asked.reply_id)
      ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS previous ON true
    WHERE previous.created_at IS NULL OR previous.created_at < uuid_extract_timestamp(asked.reply_id) - ${activeInterval}`,
  row: z.object({ id: z.string(), is_first: z.boolean() }),
});

/** Replies, and messages that have some. */
const threadMessages = defineStatement({
  name: "discord_gateway_thread_messages",
  text: `SELECT id, channel_id, server_id, thread_id FROM messages
    WHERE id = ANY ($1::uuid[]) AND (thread_id IS NOT NULL OR thread_reply_count > 0)`,
  row: z.object({ id: z.string(), channel_id: z.string(), server_id: z.string(), thread_id: z.string().nullable() }),
});

/** Where options stand in their polls, from 0. */
const optionPositions = defineStatement({
  name: "discord_gateway_option_positions",
  text: "SELECT id, position FROM poll_options WHERE id = ANY ($1::uuid[])",
  row: z.object({ id: z.string(), position: z.int() }),
});

/** Codes of invites that are gone, from the log of their making, which is found by the time in the id. */
const inviteCodes = defineStatement({
  name: "discord_gateway_invite_codes",
  text: `SELECT asked.id, (SELECT a.details ->> 'code' FROM audit_log_entries a
      WHERE a.server_id = asked.server_id AND a.action = 'invite_create' AND a.target_id = asked.id
        AND a.created_at BETWEEN uuid_extract_timestamp(asked.id) - interval '1 minute'
          AND uuid_extract_timestamp(asked.id) + interval '1 minute' LIMIT 1) AS code
    FROM ${rowsOfArrays("uuid", "uuid")} AS asked (id, server_id)`,
  row: z.object({ id: z.string(), code: z.string().nullable() }),
});

const roles = defineStatement({
  name: "discord_gateway_roles",
  text: `SELECT ${roleColumns.map((column) => `r.${column}`).join(", ")}, ${botOfRole} AS bot_id
    FROM roles r WHERE r.id = ANY ($1::uuid[])`,
  row: roleRow,
});

const commandsOfBot = defineStatement({
  name: "discord_gateway_commands",
  text: `SELECT c.id, c.name, c.description, c.context, c.options, c.default_permissions, coalesce(c.form, '{}') AS form
    FROM app_commands c JOIN bots b ON b.id = c.bot_id WHERE b.user_id = $1::uuid ORDER BY c.position`,
  row: OwnCommand,
});

const sharedServers = defineStatement({
  name: "discord_gateway_shared_servers",
  text: `SELECT theirs.user_id, theirs.server_id FROM members theirs
    JOIN members own ON own.server_id = theirs.server_id AND own.user_id = $2::uuid
    WHERE theirs.user_id = ANY ($1::uuid[]) AND ${serverExists("theirs.server_id")}`,
  row: z.object({ user_id: z.string(), server_id: z.string() }),
});

/** A channel with a user's permissions in it: 0 when they may not view it. */
export interface SeenChannel {
  readonly channel: Channel;
  readonly overrides: readonly Omit<ChannelOverride, "id" | "channel_id">[];
  readonly permissions: number;
  readonly rights: readonly RightName[];
  readonly server: { readonly is_public: boolean };
  /** The rights of a member with these permissions in the channel. */
  readonly rightsOf: (member: Pick<Member, "user_id" | "roles">, permissions: number) => readonly RightName[];
}

/** Reads the data that dispatches need beside their events, in few statements for many dispatches. */
export type Lookups = ReturnType<typeof createLookups>;

export function createLookups(options: { database: Pick<Database, "query">; urls: Pick<FileUrls, "sign"> }) {
  const { database } = options;
  /** A channel never changes its server. */
  const servers = new Map<string, string>();
  const unique = (ids: Iterable<string>) => [...new Set(ids)];

  return {
    /** The servers of channels; none for direct messages and deleted channels. */
    async serversOf(channelIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const unknown = unique(channelIds).filter((id) => !servers.has(id));
      const found = unknown.length === 0 ? [] : await database.query(channelServers, [unknown]);
      for (const { id, server_id } of found) servers.set(id, server_id);
      const answer = new Map(
        channelIds.flatMap((id) => {
          const serverId = servers.get(id);
          return serverId === undefined ? [] : [[id, serverId] as const];
        }),
      );
      for (const oldest of servers.keys()) {
        if (servers.size <= channelServersMax) break;
        servers.delete(oldest);
      }
      return answer;
    },
    /** @returns by {@link membershipKey} */
    async members(asked: readonly Membership[]): Promise<ReadonlyMap<string, MemberFields>> {
      const pairs = [...new Map(asked.map((each) => [membershipKey(each), each])).values()];
      if (pairs.length === 0) return new Map();
      const rows = await database.query(members, [
        pairs.map(({ serverId }) => serverId),
        pairs.map(({ userId }) => userId),
      ]);
      return new Map(
        rows.map(({ server_id: serverId, text }) => {
          const member = readStoredMember(text);
          return [membershipKey({ serverId, userId: member.user_id }), member];
        }),
      );
    },
    named: (named: Named): Promise<Known> => named.load(database),
    async channels(ids: Iterable<string>, userId: string): Promise<ReadonlyMap<string, SeenChannel>> {
      const asked = unique(ids);
      const rows = asked.length === 0 ? [] : await database.query(channels, [asked, userId]);
      return new Map(
        rows.map((row) => {
          const { all_overrides: overrides, role_rights, is_public, ...channel } = row;
          const permissions = resolveAccess(row, userId);
          const rights = rightNamesOf(resolveAccessRights(row, userId));
          const rightsOf: SeenChannel["rightsOf"] = (member, permissions) => {
            const isOwner = row.owner_id === member.user_id;
            const roles = member.roles.map(({ id }) => ({ rights: role_rights[id] ?? 0 }));
            return rightNamesOf(resolveRights({ isOwner, permissions, everyone: row.everyone, roles }));
          };
          return [row.id, { channel, overrides, permissions, rights, server: { is_public }, rightsOf }];
        }),
      );
    },
    emojisOf: (serverId: string) => database.query(emojisOfServer, [serverId]),
    async roles(ids: Iterable<string>): Promise<ReadonlyMap<string, RoleFields>> {
      const asked = unique(ids);
      const rows = asked.length === 0 ? [] : await database.query(roles, [asked]);
      return new Map(rows.map((row) => [row.id, row]));
    },
    /** The commands that a bot has registered, in its order. */
    commandsOf: (botUserId: string): Promise<OwnCommand[]> => database.query(commandsOfBot, [botUserId]),
    /** Those of replies that begin their thread, or bring it back: whether they are its first. */
    async beginningReplies(replies: readonly { readonly rootId: string; readonly replyId: string }[]) {
      const values = [replies.map(({ rootId }) => rootId), replies.map(({ replyId }) => replyId)];
      const rows = replies.length === 0 ? [] : await database.query(beginningReplies, values);
      return new Map(rows.map((row) => [row.id, row.is_first]));
    },
    /** Those of messages that have replies or are some, deleted or not. */
    async threadMessages(ids: Iterable<string>) {
      const asked = unique(ids);
      return new Map(
        (asked.length === 0 ? [] : await database.query(threadMessages, [asked])).map((row) => [row.id, row]),
      );
    },
    /** Numbers of the answers that options of polls are for Discord, from 1. */
    async answerNumbers(ids: Iterable<string>): Promise<ReadonlyMap<string, number>> {
      const asked = unique(ids);
      const rows = asked.length === 0 ? [] : await database.query(optionPositions, [asked]);
      return new Map(rows.map(({ id, position }) => [id, position + 1]));
    },
    async inviteCodes(invites: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
      const rows =
        invites.size === 0 ? [] : await database.query(inviteCodes, [[...invites.keys()], [...invites.values()]]);
      return new Map(rows.flatMap(({ id, code }) => (code === null ? [] : [[id, code] as const])));
    },
    /** The newest message and pin of channels. */
    newest: (channelIds: Iterable<string>) => loadNewest(database, unique(channelIds)),
    stored: (ids: Iterable<string>) => loadStored(options, ids),
    /** The servers that users share with the bot, by user. */
    async sharedServers(userIds: Iterable<string>, botUserId: string): Promise<ReadonlyMap<string, string[]>> {
      const asked = unique(userIds);
      const rows = asked.length === 0 ? [] : await database.query(sharedServers, [asked, botUserId]);
      const shared = new Map<string, string[]>();
      for (const { user_id, server_id } of rows) shared.set(user_id, [...(shared.get(user_id) ?? []), server_id]);
      return shared;
    },
  };
}
