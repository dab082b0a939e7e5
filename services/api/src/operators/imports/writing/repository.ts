import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { ChannelRow } from "../../../access/repository.js";
import type { MessagePosition } from "../core/repository.js";
import type { ImportOptions, ImportReport } from "../core/schema.js";

const optionsStatement = defineStatement({
  name: "import_options",
  text: "UPDATE imports SET options = $2 WHERE id = $1",
});
const madeServerStatement = defineStatement({
  name: "import_made_server",
  text: "UPDATE imports SET server_id = coalesce(server_id, $2) WHERE id = $1",
});
const progressStatement = defineStatement({
  name: "import_progress",
  text: `UPDATE imports SET messages = messages + $2, files = files + $3, position = $4, attempts = 0 WHERE id = $1`,
});
const reportStatement = defineStatement({
  name: "import_end_report",
  text: "UPDATE imports SET report = $2 WHERE id = $1",
});

export async function saveOptions(transaction: Transaction, id: string, options: ImportOptions): Promise<void> {
  await transaction.execute(optionsStatement, [id, JSON.stringify(options)]);
}

export async function noteServer(transaction: Transaction, id: string, serverId: string): Promise<void> {
  await transaction.execute(madeServerStatement, [id, serverId]);
}

export async function noteProgress(
  transaction: Transaction,
  id: string,
  { messages, files, position }: { messages: number; files: number; position: MessagePosition },
): Promise<void> {
  await transaction.execute(progressStatement, [id, messages, files, JSON.stringify(position)]);
}

export async function saveReport(transaction: Transaction, id: string, report: ImportReport): Promise<void> {
  await transaction.execute(reportStatement, [id, JSON.stringify(report)]);
}

const workspaceStatement = defineStatement({
  name: "import_run_workspace",
  text: "UPDATE imports SET workspace = $2 WHERE id = $1",
});

export async function setWorkspace(connection: Queryable, id: string, workspace: string): Promise<void> {
  await connection.execute(workspaceStatement, [id, workspace]);
}

// What records have become.

export const itemKinds = [
  "server",
  "role",
  "person",
  "channel",
  "emoji",
  "ban",
  "invite",
  "automod_rule",
  "message",
] as const;
export type ItemKind = (typeof itemKinds)[number];

const itemsStatement = defineStatement({
  name: "import_items",
  text: `SELECT external_id, target_id, import_id, digest::integer AS digest FROM import_items
    WHERE workspace = $1 AND kind = $2`,
  row: z.object({ external_id: z.string(), target_id: z.string(), import_id: z.string(), digest: z.int() }),
});
const putItemsStatement = defineStatement({
  name: "import_put_items",
  text: `INSERT INTO import_items (workspace, kind, external_id, target_id, import_id, digest)
    SELECT $1, $2, input.external_id, input.target_id, $3, $6 FROM unnest($4::text[], $5::uuid[]) AS input (external_id, target_id)
    ON CONFLICT (workspace, kind, external_id) DO UPDATE SET target_id = excluded.target_id, import_id = excluded.import_id,
      digest = excluded.digest`,
});
const forgetStatement = defineStatement({
  name: "import_forget",
  text: `DELETE FROM import_items WHERE ctid = ANY (ARRAY(SELECT i.ctid FROM import_items i WHERE i.workspace = $1
    AND i.kind <> 'person' AND NOT EXISTS (SELECT FROM messages m JOIN channels c ON c.id = m.channel_id WHERE m.id = i.target_id)
    AND NOT EXISTS (SELECT FROM channels c WHERE c.id = i.target_id) AND NOT EXISTS (SELECT FROM roles r WHERE r.id = i.target_id)
    AND NOT EXISTS (SELECT FROM servers s WHERE s.id = i.target_id)
    AND NOT EXISTS (SELECT FROM custom_emojis e WHERE e.id = i.target_id) LIMIT 5000))`,
});

/** What the records of a kind have become. The digest of a thing that is no message is 1 if it is complete, or was there before. */
export async function findItems(connection: Queryable, workspace: string, kind: Exclude<ItemKind, "message">) {
  const rows = await connection.query(itemsStatement, [workspace, kind]);
  return new Map(rows.map((row) => [row.external_id, row]));
}

/** An item's import, and what it belongs to. */
export interface ItemPlace {
  workspace: string;
  importId: string;
}

export async function putItems(
  transaction: Transaction,
  { workspace, importId }: ItemPlace,
  kind: ItemKind,
  items: readonly { external_id: string; target_id: string }[],
  digest: 0 | 1 = 0,
): Promise<void> {
  await transaction.execute(putItemsStatement, [
    workspace,
    kind,
    importId,
    items.map(({ external_id }) => external_id),
    items.map(({ target_id }) => target_id),
    digest,
  ]);
}

/** After a server was deleted: what is gone with it may come again. */
export async function forgetGone(connection: Queryable, workspace: string): Promise<void> {
  while ((await connection.execute(forgetStatement, [workspace])) > 0);
}

// Channels.

const insertChannelStatement = defineStatement({
  name: "import_channel",
  text: `INSERT INTO channels (id, server_id, name, type, topic, category, slow_mode_seconds, created_at, position, user_limit)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
      coalesce($9, (SELECT coalesce(max(least(position, 2147483646)) + 1, 0) FROM channels WHERE server_id = $2)), $10)`,
});
const channelTimeStatement = defineStatement({
  name: "import_channel_time",
  text: `SELECT min(at)::float8 AS first, max(at)::float8 AS last, coalesce(sum(parts), 0)::integer AS messages
    FROM import_records WHERE import_id = $1 AND kind = 'message' AND channel = $2`,
  row: z.object({ first: z.number().nullable(), last: z.number().nullable(), messages: z.int() }),
});

/** When the first and the last message of a channel was written, and how many it has. */
export async function channelTimes(connection: Queryable, importId: string, channel: string) {
  const [times] = await connection.query(channelTimeStatement, [importId, channel]);
  if (times === undefined) throw new Error("An aggregate returned no row");
  return times;
}

export interface NewChannel {
  id: string;
  serverId: string;
  name: string;
  type: "text" | "voice";
  topic: string | null;
  category: string | null;
  slowMode: number;
  /** 0: no limit. */
  userLimit: number;
  createdAt: Date;
  /** Null: behind all channels. */
  position: number | null;
}

export async function insertChannel(transaction: Transaction, channel: NewChannel): Promise<void> {
  const { id, serverId, name, type, topic, category, slowMode, userLimit, createdAt, position } = channel;
  const values = [id, serverId, name, type, topic, category, slowMode, createdAt.toISOString(), position, userLimit];
  await transaction.execute(insertChannelStatement, values);
}

/** The channels of a server. */
export function findChannels({ prisma }: Queryable, serverId: string): Promise<{ id: string; name: string }[]> {
  return prisma.channel.findMany({ where: { server_id: serverId }, select: { id: true, name: true } });
}

export function findChannel({ prisma }: Queryable, id: string): Promise<ChannelRow | null> {
  return prisma.channel.findUnique({ where: { id } });
}

/** Whether a person or a server has no picture. */
export async function needsPicture({ prisma }: Queryable, kind: "user" | "server", id: string): Promise<boolean> {
  const count =
    kind === "user"
      ? await prisma.user.count({ where: { id, avatar_url: null } })
      : await prisma.server.count({ where: { id, icon_url: null } });
  return count > 0;
}

/** Sets the picture of a person or a server that has none. */
export async function setPicture(
  { prisma }: Transaction,
  { kind, id, url }: { kind: "user" | "server"; id: string; url: string },
): Promise<void> {
  if (kind === "user") await prisma.user.updateMany({ where: { id, avatar_url: null }, data: { avatar_url: url } });
  else await prisma.server.updateMany({ where: { id, icon_url: null }, data: { icon_url: url } });
}

/** Nobody has counted the rows of an import yet: scalar subqueries make the planner look each of them up. */
const lateAnswersStatement = defineStatement({
  name: "import_late_answers",
  text: `WITH late AS MATERIALIZED (
      SELECT external_id, reply_to FROM import_records
      WHERE import_id = $1 AND kind = 'message' AND channel = $3 AND reply_to IS NOT NULL),
    pair AS MATERIALIZED (
      SELECT
        (SELECT i.target_id FROM import_items i WHERE i.workspace = $2 AND i.kind = 'message'
          AND i.external_id = late.external_id) AS id,
        (SELECT i.target_id FROM import_items i WHERE i.workspace = $2 AND i.kind = 'message'
          AND i.external_id = late.reply_to) AS target
      FROM late)
    UPDATE messages m SET reply_to = p.target FROM pair p
    WHERE m.id = p.id AND m.reply_to IS NULL AND p.target <> p.id
      AND (SELECT t.channel_id FROM messages t WHERE t.id = p.target) = m.channel_id`,
});
const forwardsStatement = defineStatement({
  name: "import_forwards",
  text: `WITH copy AS MATERIALIZED (
      SELECT external_id, data #>> '{forwarded,message}' AS original FROM import_records
      WHERE import_id = $1 AND kind = 'message' AND data -> 'forwarded' IS NOT NULL)
    UPDATE messages m SET forwarded = m.forwarded || jsonb_build_object('message_id', o.target_id)
    FROM copy
    JOIN import_items i ON i.workspace = $2 AND i.kind = 'message' AND i.external_id = copy.external_id
    JOIN import_items o ON o.workspace = $2 AND o.kind = 'message' AND o.external_id = copy.original
    WHERE m.id = i.target_id AND m.forwarded ->> 'message_id' = copy.original`,
});
const readStatesStatement = defineStatement({
  name: "import_read_states",
  text: `INSERT INTO read_states (user_id, channel_id, last_read_at)
    SELECT m.user_id, $2, $3 FROM members m WHERE m.server_id = $1 AND m.joined_at < $3
    ON CONFLICT (user_id, channel_id) DO UPDATE SET last_read_at = excluded.last_read_at
      WHERE read_states.last_read_at < excluded.last_read_at`,
});

/** Copies name the messages that came along, whose ids nothing knew before all of them were stored. */
export async function linkForwards(connection: Queryable, importId: string, workspace: string) {
  await connection.execute(forwardsStatement, [importId, workspace]);
}

/** Answers to messages that were written later than they. */
export async function linkLateAnswers(connection: Queryable, importId: string, workspace: string, channel: string) {
  await connection.execute(lateAnswersStatement, [importId, workspace, channel]);
}

/** Nobody has unread messages by an import. */
export async function markRead(
  connection: Queryable,
  { serverId, channelId, until }: { serverId: string; channelId: string; until: Date },
): Promise<void> {
  await connection.execute(readStatesStatement, [serverId, channelId, until.toISOString()]);
}
