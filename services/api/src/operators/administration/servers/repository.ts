import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { serverUse } from "../../../platform/files/quotas/use-repository.js";
import { patternOf, type ServerPageQuery, sliceOf } from "../page-schema.js";
import type { AdminServer } from "./schema.js";

const optionalBytes = z.coerce
  .number()
  .nullish()
  .transform((bytes) => bytes ?? undefined);
const serverRow = z
  .object({
    id: z.string(),
    name: z.string(),
    owner_id: z.string(),
    owner_username: z.string(),
    icon_url: z.string().nullable(),
    is_public: z.boolean(),
    member_count: z.int(),
    channel_count: z.coerce.number(),
    message_count: z.coerce.number(),
    created_at: z.date().transform((date) => date.toISOString()),
    listed: z.literal(false).nullable(),
    featured: z.literal(true).nullable(),
    quota: optionalBytes,
    storage_bytes: optionalBytes,
  })
  .transform(
    ({ listed, featured, ...server }): AdminServer => ({
      ...server,
      ...(listed === null ? {} : { listed }),
      ...(featured === null ? {} : { featured }),
    }),
  );

/** SELECT of the servers whose ids are in the rows `p`. */
const serversOf = (
  rows: string,
  more = "",
) => `SELECT s.id, s.name, s.owner_id, o.username AS owner_username, s.icon_url,
    s.is_public, s.member_count, (SELECT count(*) FROM channels c WHERE c.server_id = s.id) AS channel_count,
    (SELECT c.messages FROM server_message_counts c WHERE c.server_id = s.id) AS message_count, s.created_at,
    NULLIF(s.listed, true) AS listed, NULLIF(s.featured, false) AS featured,
    (SELECT q.quota FROM server_quotas q WHERE q.server_id = s.id) AS quota${more}
  FROM (${rows}) p
  CROSS JOIN LATERAL (SELECT * FROM servers WHERE id = p.id OFFSET 0) s
  CROSS JOIN LATERAL (SELECT username FROM users WHERE id = s.owner_id OFFSET 0) o`;

const pageStatement = (reversed: boolean, isSearch: boolean) =>
  defineStatement({
    name: ["admin_servers", ...(reversed ? ["reversed"] : []), ...(isSearch ? ["search"] : [])].join("_"),
    text: `${serversOf(`SELECT id FROM servers ${isSearch ? "WHERE name ILIKE $3" : ""}
        ORDER BY ${reversed ? "created_at, id" : "created_at DESC, id DESC"} LIMIT $1 OFFSET $2`)}
      ORDER BY s.created_at DESC, s.id DESC`,
    row: serverRow,
    isPlannedEachTime: isSearch,
  });
/** Counts every server's bytes anew: for administrators, and rarely. */
const byStorage = (isSearch: boolean) =>
  defineStatement({
    name: `admin_servers_storage${isSearch ? "_search" : ""}`,
    text: `${serversOf(
      `SELECT id, used FROM servers, LATERAL (${serverUse("servers.id")}) u ${isSearch ? "WHERE name ILIKE $3" : ""}
        ORDER BY used DESC, id DESC LIMIT $1 OFFSET $2`,
      ", p.used AS storage_bytes",
    )} ORDER BY p.used DESC, s.id DESC`,
    row: serverRow,
    isPlannedEachTime: true,
  });
const storagePages = { all: byStorage(false), search: byStorage(true) };
const oneStatement = defineStatement({
  name: "admin_server",
  text: serversOf("SELECT $1::uuid AS id"),
  row: serverRow,
});
const pages = {
  all: { forwards: pageStatement(false, false), backwards: pageStatement(true, false) },
  search: { forwards: pageStatement(false, true), backwards: pageStatement(true, true) },
};

const total = (row: RawRow) => Number(row.total);
const countAll = defineStatement({
  name: "admin_servers_count",
  text: "SELECT count(*) AS total FROM server_message_counts",
  row: total,
});
const countSearch = defineStatement({
  name: "admin_servers_count_search",
  text: "SELECT count(*) AS total FROM servers WHERE name ILIKE $1",
  row: total,
  isPlannedEachTime: true,
});

/** A page of servers, newest first, and how many there are. Counts of messages are as of the last `addMessageCounts`. */
export async function findServers(
  connection: Queryable,
  query: ServerPageQuery,
): Promise<{ servers: AdminServer[]; total: number }> {
  const pattern = query.search === undefined || query.search === "" ? [] : [patternOf(query.search)];
  const [total = 0] = await connection.query(pattern.length === 0 ? countAll : countSearch, pattern);
  const { limit, offset, reversed } = sliceOf(query, total);
  if (limit === 0) return { servers: [], total };
  if (query.sort_by === "storage_bytes") {
    const statement = pattern.length === 0 ? storagePages.all : storagePages.search;
    const offset = (query.page - 1) * query.per_page;
    return { servers: await connection.query(statement, [limit, offset, ...pattern]), total };
  }
  const { forwards, backwards } = pattern.length === 0 ? pages.all : pages.search;
  return { servers: await connection.query(reversed ? backwards : forwards, [limit, offset, ...pattern]), total };
}

/** One server; undefined when there is none. */
export async function findAdminServer(connection: Queryable, serverId: string): Promise<AdminServer | undefined> {
  const [server] = await connection.query(oneStatement, [serverId]);
  return server;
}
