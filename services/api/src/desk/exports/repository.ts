import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { type MessageRow, messageColumns, messageRow } from "../../conversations/messages/repository.js";
import { exportPageMax } from "./limits.js";

const isolateStatement = defineStatement({
  name: "export_isolate",
  text: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
});

const nowStatement = defineStatement({
  name: "export_now",
  text: "SELECT now() AS now",
  row: z.object({ now: z.date() }).transform(({ now }) => now),
});

/** Undeleted messages in the order of history, thread replies among them: both have their own part of the index. */
const pageStatement = defineStatement({
  name: "export_page",
  text: `SELECT ${messageColumns}
    FROM (
      (SELECT id FROM messages
        WHERE channel_id = $1 AND listed AND (created_at, id) > (uuid_extract_timestamp($2), $2) AND created_at <= $3
        ORDER BY created_at, id LIMIT ${exportPageMax})
      UNION ALL
      (SELECT id FROM messages
        WHERE channel_id = $1 AND NOT listed AND (created_at, id) > (uuid_extract_timestamp($2), $2) AND created_at <= $3
          AND NOT deleted
        ORDER BY created_at, id LIMIT ${exportPageMax})) AS page
    JOIN messages m ON m.id = page.id
    ORDER BY m.created_at, m.id LIMIT ${exportPageMax}`,
  row: messageRow,
});

/** Before every message. */
export const exportStart = "00000000-0000-7000-8000-000000000000";

/** Lets a transaction see one state of the database; to be called first. @returns the time of that state */
export async function takeSnapshot(transaction: Transaction): Promise<Date> {
  await transaction.execute(isolateStatement, []);
  const [now] = await transaction.query(nowStatement, []);
  if (now === undefined) throw new Error("PostgreSQL does not know the time");
  return now;
}

/** The next messages of a channel after one, of those that were sent by a time. */
export function findExported(
  connection: Queryable,
  page: { channelId: string; after: string; until: Date },
): Promise<MessageRow[]> {
  return connection.query(pageStatement, [page.channelId, page.after, page.until]);
}

/** A server with its channels and roles in their orders. @param ownerId null for any owner */
export async function findStructure({ prisma }: Transaction, ownerId: string | null, serverId: string) {
  return prisma.server.findFirst({
    where: { id: serverId, ...(ownerId === null ? {} : { owner_id: ownerId }) },
    include: {
      channels: { orderBy: [{ position: "asc" }, { created_at: "asc" }, { id: "asc" }] },
      roles: { orderBy: [{ position: "desc" }, { id: "asc" }] },
    },
  });
}

/** The ids of servers of a name, at most ten, oldest first. */
export async function findServersNamed({ prisma }: Queryable, name: string): Promise<string[]> {
  const rows = await prisma.server.findMany({
    where: { name },
    select: { id: true },
    orderBy: { id: "asc" },
    take: 10,
  });
  return rows.map(({ id }) => id);
}
