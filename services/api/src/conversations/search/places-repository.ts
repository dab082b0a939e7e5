import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import {
  accessRole,
  everyoneColumn,
  hasPermission,
  type OverrideRule,
  overrideRoleOf,
  resolveChannelPermissions,
} from "@parley/permissions";
import { z } from "zod";

/** A place with messages that somebody may read now. */
export interface Place {
  id: string;
  /** Null for a channel without one: a group. */
  name: string | null;
  /** Other names by which it is found: those of the other person of a pair. */
  aliases: readonly string[];
  /** Null for direct messages and groups. */
  serverId: string | null;
}

/** Everything that somebody may read now. */
export interface Places {
  servers: readonly { id: string; name: string; language: string | null }[];
  channels: readonly Place[];
  direct: readonly Place[];
}

const serversStatement = defineStatement({
  name: "search_servers",
  text: `SELECT s.id, s.name, lower(left(s.language, 2)) AS language, s.owner_id, ${everyoneColumn}, coalesce((
      SELECT json_agg(json_build_object('id', r.id, 'permissions', r.permissions, 'rights', r.rights))
      FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.server_id = s.id AND mr.user_id = $1), '[]') AS roles
    FROM members m JOIN servers s ON s.id = m.server_id WHERE m.user_id = $1 AND ($2::uuid IS NULL OR s.id = $2)`,
  row: z.object({
    id: z.string(),
    name: z.string(),
    language: z.string().nullable(),
    owner_id: z.string(),
    everyone: accessRole,
    roles: z.array(accessRole),
  }),
});

const channelsStatement = defineStatement({
  name: "search_channels",
  text: "SELECT c.id, c.name, c.server_id FROM channels c WHERE c.server_id = ANY ($1::uuid[])",
  row: z.object({ id: z.string(), name: z.string(), server_id: z.string() }),
});

/** Those of the member, of the roles in $3 and of the everyone roles. */
const overridesStatement = defineStatement({
  name: "search_overrides",
  text: `SELECT o.channel_id, ${overrideRoleOf("c.server_id")} AS role_id, o.user_id, o.allow, o.deny
    FROM channels c JOIN channel_overrides o ON o.channel_id = c.id
      AND (o.user_id = $1 OR o.role_id = ANY ($3::uuid[]) OR (o.role_id IS NULL AND o.user_id IS NULL))
    WHERE c.server_id = ANY ($2::uuid[])`,
  row: z.object({
    channel_id: z.string(),
    role_id: z.string().nullable(),
    user_id: z.string().nullable(),
    allow: z.int(),
    deny: z.int(),
  }),
});

const directStatement = defineStatement({
  name: "search_direct_channels",
  text: `SELECT d.id, u.username AS name, array_remove(ARRAY[u.display_name], NULL) AS aliases
    FROM (SELECT id, user_high AS other FROM dm_channels WHERE user_low = $1
      UNION ALL SELECT id, user_low FROM dm_channels WHERE user_high = $1) AS d JOIN users u ON u.id = d.other
    UNION ALL
    SELECT d.id, d.name, '{}' FROM dm_group_members g JOIN dm_channels d ON d.id = g.channel_id WHERE g.user_id = $1`,
  row: z.object({ id: z.string(), name: z.string().nullable(), aliases: z.array(z.string()) }),
});

/** What a user may read in servers and in direct messages. @param serverId of one server alone */
export async function findPlaces(connection: Queryable, userId: string, serverId: string | null): Promise<Places> {
  const servers = await connection.query(serversStatement, [userId, serverId]);
  const ids = servers.map(({ id }) => id);
  const roleIds = servers.flatMap(({ roles }) => roles.map(({ id }) => id));
  const channels = await connection.query(channelsStatement, [ids]);
  const overrides = new Map<string, OverrideRule[]>();
  for (const { channel_id, ...rule } of await connection.query(overridesStatement, [userId, ids, roleIds])) {
    overrides.set(channel_id, [...(overrides.get(channel_id) ?? []), rule]);
  }
  const serverOf = new Map(servers.map((server) => [server.id, server]));
  const isViewable = ({ id, server_id }: { id: string; server_id: string }) => {
    const server = serverOf.get(server_id);
    if (server === undefined) return false;
    const { everyone, roles } = server;
    const member = { isOwner: server.owner_id === userId, userId, everyone, roles };
    return hasPermission(resolveChannelPermissions({ ...member, overrides: overrides.get(id) ?? [] }), "VIEW_CHANNEL");
  };
  const direct = serverId === null ? await connection.query(directStatement, [userId]) : [];
  return {
    servers: servers.map(({ id, name, language }) => ({ id, name, language })),
    channels: channels
      .filter(isViewable)
      .map(({ id, name, server_id }) => ({ id, name, aliases: [], serverId: server_id })),
    direct: direct.map((channel) => ({ ...channel, serverId: null })),
  };
}
