import { createHash } from "node:crypto";
import { type Database, defineStatement } from "@parley/database";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { z } from "zod";
import { repetitionsKeptMax, repetitionsReadMax, repetitionWindowMaxMs } from "../limits.js";
import { foldContent } from "../rules/fold.js";

/** A message that may repeat others of its author. */
export interface RepeatedMessage {
  serverId: string;
  userId: string;
  judgementId: string;
  content: string;
  /** The stored message; null before it is stored. */
  messageId: string | null;
  /** When it was sent; null for now. */
  sentAtMs: number | null;
}

const countScript = defineScript({
  name: "automod-repetition",
  keyCount: 1,
  lua: readLua(new URL("../../lua/", import.meta.url), "repetition"),
  reply: (raw) => z.array(z.number()).parse(raw),
});

const recentStatement = defineStatement({
  name: "automod_repetition",
  text: `SELECT content, extract(epoch FROM $3::timestamptz - created_at)::float8 * 1000 AS age_ms FROM messages
    WHERE author_id = $1 AND server_id = $2 AND NOT deleted AND id IS DISTINCT FROM $4::uuid
      AND created_at > $3::timestamptz - make_interval(secs => $5) AND created_at <= $3::timestamptz
    ORDER BY created_at DESC LIMIT $6`,
  row: z.object({ content: z.string(), age_ms: z.number() }),
});

/** Keeps a hash instead of the text: enough to recognise the same text. */
function keyOf({ serverId, userId }: RepeatedMessage, folded: string): string {
  return `automod:repetition:${serverId}:${userId}:${createHash("sha256").update(folded).digest("base64url")}`;
}

/**
 * Counts messages of a member with one folded text in all channels of a server. Redis counts atomically, so that of two
 * at once in two processes one is the later one; each message counts from its check on, until it is given up.
 */
export type Repetition = ReturnType<typeof createRepetition>;

export function createRepetition({ database, redis }: { database: Database; redis: RedisConnection }) {
  /** Without Redis it counts the rows of the database, so two messages at once may both pass. */
  const countStored = async (message: RepeatedMessage, folded: string, windowsMs: readonly number[]) => {
    const { serverId, userId, messageId, sentAtMs } = message;
    const at = new Date(sentAtMs ?? Date.now());
    const longestSecs = Math.max(...windowsMs) / 1_000;
    const values = [userId, serverId, at, messageId, longestSecs, repetitionsReadMax];
    const rows = await database.query(recentStatement, values);
    const same = rows.filter(({ content }) => foldContent(content) === folded);
    return windowsMs.map((windowMs) => 1 + same.filter(({ age_ms }) => age_ms < windowMs).length);
  };

  return {
    /**
     * @returns for each window how many of the member's messages in it, this one included, have its text, and the key
     * that `giveUp` takes; null for a message without text
     */
    async count(message: RepeatedMessage, windowsMs: readonly number[]) {
      const folded = foldContent(message.content);
      if (folded === "") return null;
      const key = keyOf(message, folded);
      const sentAt = message.sentAtMs === null ? "" : message.sentAtMs * 1_000;
      const values = [message.judgementId, sentAt, repetitionWindowMaxMs, repetitionsKeptMax, ...windowsMs];
      const counts = await redis.run(countScript, [key], values).catch(() => countStored(message, folded, windowsMs));
      return { counts, key };
    },

    /** A message that was refused, or not stored, does not count. */
    async giveUp(key: string, judgementId: string): Promise<void> {
      await redis.client.zrem(key, judgementId).catch(() => undefined);
    },
  };
}
