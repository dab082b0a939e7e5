import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { ServerRow } from "./resource.js";

const memberStatement = defineStatement({
  name: "servers_of_member",
  text: `SELECT s.id, s.name, s.owner_id, s.icon_url, s.is_public, s.require_invite, s.member_count, s.created_at, s.updated_at
    FROM members m CROSS JOIN LATERAL (SELECT * FROM servers WHERE id = m.server_id OFFSET 0) s
    WHERE m.user_id = $1 ORDER BY s.created_at, s.id`,
  row: z.object({
    id: z.string(),
    name: z.string(),
    owner_id: z.string(),
    icon_url: z.string().nullable(),
    is_public: z.boolean(),
    require_invite: z.boolean(),
    member_count: z.int(),
    created_at: z.date(),
    updated_at: z.date(),
  }),
});

const joinableStatement = defineStatement({
  name: "server_joinable",
  text: `SELECT s.is_public, s.require_invite,
      EXISTS (SELECT FROM members m WHERE m.server_id = s.id AND m.user_id = $2) AS is_member,
      EXISTS (SELECT FROM bans b WHERE b.server_id = s.id AND b.user_id = $2) AS is_banned
    FROM servers s WHERE s.id = $1`,
  row: z.object({
    is_public: z.boolean(),
    require_invite: z.boolean(),
    is_member: z.boolean(),
    is_banned: z.boolean(),
  }),
});

/** What decides whether a user may join a server; undefined when there is none. */
export async function findJoinable(connection: Queryable, serverId: string, userId: string) {
  const [server] = await connection.query(joinableStatement, [serverId, userId]);
  return server;
}

/** Servers that a user is a member of, oldest first. */
export function findServersOf(connection: Queryable, userId: string): Promise<ServerRow[]> {
  return connection.query(memberStatement, [userId]);
}
