import { caps } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Server, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { refusedByRaid } from "../../rules/raids/join-repository.js";
import type { ServerRow } from "./resource.js";

/** Most servers that the browse list shows (docs/protocol/limits.md#16.1). */
const browseMax = 50;

const memberStatement = defineStatement({
  name: "servers_of_member",
  text: `SELECT s.id, s.name, s.owner_id, s.icon_url, s.is_public, s.require_invite, s.hierarchy, s.require_second_factor, s.member_count,
      s.created_at, s.updated_at, s.description, s.tags, s.language, s.banner_url, s.timezone
    FROM members m CROSS JOIN LATERAL (SELECT * FROM servers WHERE id = m.server_id OFFSET 0) s
    WHERE m.user_id = $1 ORDER BY s.created_at, s.id`,
  row: z.object({
    id: z.string(),
    name: z.string(),
    owner_id: z.string(),
    icon_url: z.string().nullable(),
    is_public: z.boolean(),
    require_invite: z.boolean(),
    hierarchy: z.boolean(),
    require_second_factor: z.boolean(),
    member_count: z.int(),
    created_at: z.date(),
    updated_at: z.date(),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    language: z.string().nullable(),
    banner_url: z.string().nullable(),
    timezone: z.string(),
  }),
});

const joinableStatement = defineStatement({
  name: "server_joinable",
  text: `SELECT s.is_public, s.require_invite,
      EXISTS (SELECT FROM members m WHERE m.server_id = s.id AND m.user_id = $2) AS is_member,
      EXISTS (SELECT FROM bans b WHERE b.server_id = s.id AND b.user_id = $2) AS is_banned,
      ${refusedByRaid({ serverId: "s.id", userId: "$2" })} AS is_refused
    FROM servers s WHERE s.id = $1`,
  row: z.object({
    is_public: z.boolean(),
    require_invite: z.boolean(),
    is_member: z.boolean(),
    is_banned: z.boolean(),
    is_refused: z.boolean(),
  }),
});

/** The data that decides whether a user may join a server; undefined when there is none. */
export async function findJoinable(connection: Queryable, serverId: string, userId: string) {
  const [server] = await connection.query(joinableStatement, [serverId, userId]);
  return server;
}

/** Reads the row as it is once it is locked. */
const lockOpennessStatement = defineStatement({
  name: "server_lock_openness",
  text: "SELECT is_public, require_invite FROM servers WHERE id = $1 FOR NO KEY UPDATE",
  row: z.object({ is_public: z.boolean(), require_invite: z.boolean() }),
});

/** Locks a server, as every join of it does, and reads how open it is; undefined when there is none. */
export async function lockOpenness(transaction: Transaction, serverId: string) {
  const [server] = await transaction.query(lockOpennessStatement, [serverId]);
  return server;
}

/** Servers that a user is a member of, oldest first. */
export function findServersOf(connection: Queryable, userId: string): Promise<ServerRow[]> {
  return connection.query(memberStatement, [userId]);
}

/** Ids of the servers that a user owns. */
export async function findOwnedServers({ prisma }: Queryable, userId: string): Promise<string[]> {
  return (await prisma.server.findMany({ where: { owner_id: userId }, select: { id: true } })).map(({ id }) => id);
}

/** How many servers a user owns, counted up to the cap. */
export function countOwnedServers({ prisma }: Queryable, userId: string): Promise<number> {
  return prisma.server.count({ where: { owner_id: userId }, take: caps.ownedServers.max });
}

/** The public servers with the most members. */
export function findPublicServers({ prisma }: Queryable): Promise<Server[]> {
  return prisma.server.findMany({
    where: { is_public: true, listed: true },
    orderBy: [{ featured: "desc" }, { member_count: "desc" }, { created_at: "desc" }, { id: "desc" }],
    take: browseMax,
  });
}

export function findServer({ prisma }: Queryable, serverId: string): Promise<Server | null> {
  return prisma.server.findUnique({ where: { id: serverId } });
}

/**
 * Stores a server with its first channels, which nobody is a member of yet.
 *
 * @param server.created_at now where left out
 */
export function insertServer(
  { prisma }: Transaction,
  server: Pick<Server, "name" | "icon_url" | "is_public" | "require_invite" | "hierarchy" | "owner_id"> &
    Partial<Pick<Server, "created_at" | "description" | "tags" | "language" | "timezone" | "require_second_factor">>,
  channels: { name: string; type: string; position: number }[],
): Promise<Server> {
  return prisma.server.create({ data: { ...server, channels: { createMany: { data: channels } } } });
}

export function updateServer(
  { prisma }: Transaction,
  serverId: string,
  data: { [Column in keyof Server]?: Server[Column] | undefined },
): Promise<Server> {
  return prisma.server.update({ where: { id: serverId }, data });
}

/** Deletes a server with its rows that have a cap; the rest becomes orphans. */
export function deleteServerRow({ prisma }: Transaction, serverId: string): Promise<{ name: string }> {
  return prisma.server.delete({ where: { id: serverId }, select: { name: true } });
}
