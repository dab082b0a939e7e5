import { get, type IncomingMessage } from "node:http";
import type { UserClient } from "@parley/testing";
import type pg from "pg";

/** Where the export of a server is. */
export const exportPath = (serverId: string) => `/servers/${serverId}/export`;

/** The answer's head; the caller reads its body. */
export function openExport(url: string, owner: UserClient, serverId: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${owner.accessToken}` };
  return new Promise((resolve, reject) => {
    get(`${url}${exportPath(serverId)}`, { headers, agent: false }, resolve).on("error", reject);
  });
}

/** Stores messages whose texts hardly get smaller in an archive; `words` of 32 characters each. */
export async function fillChannel(
  sql: pg.Client,
  channelId: string,
  serverId: string,
  { count, authorId, words = 1 }: { count: number; authorId: string; words?: number },
) {
  await sql.query("ALTER TABLE messages DISABLE TRIGGER USER");
  await sql.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, (SELECT string_agg(md5(n || ' ' || w), '') FROM generate_series(1, $5::integer) AS w)
      FROM generate_series(1, $4::integer) AS n`,
    [channelId, serverId, authorId, count, words],
  );
  await sql.query("ALTER TABLE messages ENABLE TRIGGER USER");
}
