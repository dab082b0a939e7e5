import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { messageChunkMax } from "../../platform/http/limits.js";
import { listedMessages, type MessageRow, messageRow } from "../messages/repository.js";

const listStatement = defineStatement({
  name: "pin_list",
  text: listedMessages(
    `SELECT * FROM messages m
      WHERE m.channel_id = $1 AND m.pinned AND NOT m.deleted AND (m.pinned_at, m.id) < ($2::timestamptz, $3::uuid)
      ORDER BY m.pinned_at DESC, m.id DESC LIMIT $4`,
    "m.pinned_at DESC, m.id DESC",
  ),
  row: messageRow,
});

const pinStatement = defineStatement({
  name: "pin_add",
  text: `UPDATE messages SET pinned = true, pinned_by = $2, pinned_at = now()
    WHERE id = $1 AND NOT pinned AND NOT deleted
    RETURNING pinned_at`,
  row: z.object({ pinned_at: z.date() }),
});

const unpinStatement = defineStatement({
  name: "pin_remove",
  text: `UPDATE messages SET pinned = false, pinned_by = NULL, pinned_at = NULL
    WHERE id = $1 AND pinned AND NOT deleted`,
});

/** Place of a pinned message in the list of its channel. */
export type PinPlace = Pick<MessageRow, "pinned_at" | "id">;

/** Place before the latest pin of any channel. */
export const listStart: PinPlace = {
  pinned_at: new Date("9999-12-31T00:00:00.000Z"),
  id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

/** The pinned messages of a channel after a place, the latest pin first, at most {@link messageChunkMax}. */
export function findPinned(connection: Queryable, channelId: string, after: PinPlace): Promise<MessageRow[]> {
  return connection.query(listStatement, [channelId, after.pinned_at, after.id, messageChunkMax]);
}

/** @returns time of the pin; null when the message is pinned already or deleted */
export async function pinMessage(transaction: Transaction, messageId: string, userId: string): Promise<Date | null> {
  const [row] = await transaction.query(pinStatement, [messageId, userId]);
  return row?.pinned_at ?? null;
}

/** @returns false when the message is not pinned or is deleted */
export async function unpinMessage(transaction: Transaction, messageId: string): Promise<boolean> {
  return (await transaction.execute(unpinStatement, [messageId])) > 0;
}
