import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { defineExpiry } from "../jobs/expiry-repository.js";
import { nonceExpiredAfterHours, nonceHours } from "./limits.js";

/** The key by which two requests are the same; null and undefined nonces are none. */
export interface NonceKey {
  authorId: string;
  channelId: string;
  nonce?: string | null | undefined;
}

/**
 * SQL for the id of the message that was sent with a nonce, null when there is none.
 *
 * @param sql expressions of the author, the channel and the nonce, which may be null
 */
export const nonceMessageColumn = (sql: { authorId: string; channelId: string; nonce: string }) => `(
    SELECT n.message_id FROM message_nonces n
    WHERE n.author_id = ${sql.authorId} AND n.channel_id = ${sql.channelId} AND n.nonce = ${sql.nonce}
      AND n.created_at > now() - interval '${nonceHours} hours') AS nonce_message_id`;

/**
 * SQL that gives nonces to messages, for the statement that stores them: it returns `message_id` of those whose nonce
 * is not another message's. It waits for a statement of another process that is at the same nonce.
 *
 * @param source selects author_id, channel_id, nonce and the new message's id, no nonce twice, in the order of all three
 */
export const claimNonces = (
  source: string,
) => `INSERT INTO message_nonces AS taken (author_id, channel_id, nonce, message_id)
      ${source}
      ON CONFLICT (author_id, channel_id, nonce) DO UPDATE
        SET message_id = excluded.message_id, created_at = excluded.created_at
        WHERE taken.created_at <= now() - interval '${nonceHours} hours'
      RETURNING message_id`;

/** However old: a statement that could not claim the nonce a moment ago has met this row. */
const findStatement = defineStatement({
  name: "message_nonce_find",
  text: "SELECT message_id FROM message_nonces WHERE author_id = $1 AND channel_id = $2 AND nonce = $3",
  row: (row: RawRow) => String(row.message_id),
});

const repeatedStatement = defineStatement({
  name: "message_nonce_repeated",
  text: `SELECT message_id FROM message_nonces WHERE author_id = $1 AND channel_id = $2 AND nonce = $3
    AND created_at > now() - interval '${nonceHours} hours'`,
  row: (row: RawRow) => String(row.message_id),
});

/** @returns the id of the message that an earlier request with the nonce made; null when this one is the first */
export async function findRepeatedMessage(
  connection: Queryable,
  { authorId, channelId, nonce }: NonceKey,
): Promise<string | null> {
  const [messageId] = nonce ? await connection.query(repeatedStatement, [authorId, channelId, nonce]) : [];
  return messageId ?? null;
}

/** @returns the id of the message that has the nonce; null when none has */
export async function findNonceMessage(
  connection: Queryable,
  { authorId, channelId, nonce }: NonceKey,
): Promise<string | null> {
  const [messageId] = await connection.query(findStatement, [authorId, channelId, nonce ?? null]);
  return messageId ?? null;
}

export const expiredNonces = defineExpiry({
  name: "expired nonces",
  table: "message_nonces",
  key: "author_id, channel_id, nonce",
  where: "created_at < now() - make_interval(hours => $2)",
  order: "created_at",
  values: [nonceExpiredAfterHours],
});
