import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

const draftRow = z.object({
  user_id: z.string(),
  place_id: z.string(),
  channel_id: z.string(),
  content: z.string().nullable(),
  reply_to: z.string().nullable(),
  updated_at: z.date(),
});
export type DraftRow = z.infer<typeof draftRow>;

const columns = Object.keys(draftRow.shape)
  .map((column) => `d.${column}`)
  .join(", ");

const listStatement = defineStatement({
  name: "draft_list",
  text: `SELECT ${columns} FROM drafts d WHERE d.user_id = $1 AND d.content IS NOT NULL
    ORDER BY d.updated_at DESC, d.place_id`,
  row: draftRow,
});

const countStatement = defineStatement({
  name: "draft_count",
  text: "SELECT count(*)::integer AS count FROM drafts WHERE user_id = $1 AND content IS NOT NULL AND place_id <> $2",
  row: (row: RawRow) => Number(row.count),
});

const says = (row: string) => `(${row}.content, ${row}.reply_to)`;

/**
 * The later form wins; one that says the same is no change, and is the later form nevertheless. A change less than a second after the last one that was announced
 * waits until the second has passed.
 */
const writeStatement = defineStatement({
  name: "draft_write",
  text: `INSERT INTO drafts AS d (user_id, place_id, channel_id, content, reply_to, updated_at, announced_at)
    SELECT $1, $2, $3, $4, $5, least($6::timestamptz, now()), now()
    WHERE $4::text IS NOT NULL OR EXISTS (SELECT FROM drafts WHERE user_id = $1 AND place_id = $2)
    ON CONFLICT (user_id, place_id) DO UPDATE
      SET content = excluded.content, reply_to = excluded.reply_to, updated_at = excluded.updated_at,
        announced_at = CASE WHEN ${says("d")} IS NOT DISTINCT FROM ${says("excluded")} OR d.announced_at > now() - interval '1 second'
          THEN d.announced_at ELSE now() END,
        announce_at = CASE WHEN ${says("d")} IS NOT DISTINCT FROM ${says("excluded")} THEN d.announce_at
          WHEN d.announced_at > now() - interval '1 second' THEN d.announced_at + interval '1 second' END
      WHERE d.updated_at <= excluded.updated_at
    RETURNING ${columns}, d.announce_at IS NULL AS is_announced,
      old.user_id IS NULL OR ${says("old")} IS DISTINCT FROM ${says("new")} AS is_changed`,
  row: draftRow.extend({ is_announced: z.boolean(), is_changed: z.boolean() }),
});

/** Returns a row while a change waits to be announced; an index answers it. */
export const dueDrafts = "SELECT FROM drafts WHERE announce_at <= now()";

const dueStatement = defineStatement({
  name: "draft_due",
  text: `SELECT user_id, place_id FROM drafts
    WHERE announce_at <= now() AND user_id || ' ' || place_id <> ALL ($2::text[]) ORDER BY announce_at LIMIT $1`,
  row: draftRow.pick({ user_id: true, place_id: true }),
});

const announceStatement = defineStatement({
  name: "draft_announce",
  text: `UPDATE drafts d SET announce_at = NULL, announced_at = now()
    WHERE d.user_id = $1 AND d.place_id = $2 AND d.announce_at <= now() RETURNING ${columns}`,
  row: draftRow,
});

/** The drafts of an account, the one changed last first. */
export function findDrafts(connection: Queryable, userId: string): Promise<DraftRow[]> {
  return connection.query(listStatement, [userId]);
}

/** How many drafts an account has in other places. */
export async function countOtherDrafts(transaction: Transaction, userId: string, placeId: string): Promise<number> {
  const [count] = await transaction.query(countStatement, [userId, placeId]);
  return count ?? 0;
}

/** @returns the draft, and whether its change may be announced now; undefined when it is not changed */
export async function writeDraft(transaction: Transaction, draft: DraftRow) {
  const { user_id, place_id, channel_id, content, reply_to, updated_at } = draft;
  const values = [user_id, place_id, channel_id, content, reply_to, updated_at.toISOString()];
  const [row] = await transaction.query(writeStatement, values);
  return row;
}

/** Whose drafts have a change that is to be announced. */
export type DraftPlace = Pick<DraftRow, "user_id" | "place_id">;

/** Names a draft among those that rest. */
export const keyOfDraft = ({ user_id, place_id }: DraftPlace): string => `${user_id} ${place_id}`;

/** @param but keys of drafts that rest */
export function findDueDrafts(connection: Queryable, size: number, but: readonly string[]): Promise<DraftPlace[]> {
  return connection.query(dueStatement, [size, but]);
}

/** @returns undefined when another process has announced the change */
export async function takeDueDraft(transaction: Transaction, place: DraftPlace): Promise<DraftRow | undefined> {
  const [row] = await transaction.query(announceStatement, [place.user_id, place.place_id]);
  return row;
}

/** Clients' clocks may be this late when they send a draft from before its deletion. */
const deletedHours = 24;

export const deletedDrafts = defineExpiry({
  name: "deleted drafts",
  table: "drafts",
  key: "user_id, place_id",
  where: "content IS NULL AND announce_at IS NULL AND updated_at < now() - make_interval(hours => $2)",
  order: "updated_at",
  values: [deletedHours],
});
