import { duplicateWindowMs } from "@parley/contracts";
import { columnsOf, type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { lookupBatchMax, messagesListedMax, statementsInFlightMax } from "./limits.js";

/** A message whose identical predecessors are sought; `messageId` is null while it is not stored. */
interface IdenticalQuestion {
  userId: string;
  channelId: string;
  content: string;
  messageId: string | null;
}

/** When the message was or is being sent, and when the latest identical one before it was, by the database's clock. */
interface IdenticalAnswer {
  sentAtMs: number;
  identicalAtMs: number | null;
}

/** A stored message and the period before it in which its predecessors are searched. */
interface WindowQuestion {
  userId: string;
  serverId: string;
  messageId: string;
  windowMs: number;
}

/** The range of created_at lets the index of an author's messages serve this. */
const identicalStatement = defineStatement({
  name: "automod_identical",
  text: `SELECT extract(epoch FROM asked.at)::float8 * 1000 AS sent_at_ms,
      extract(epoch FROM (
        SELECT m.created_at FROM messages m
        WHERE m.author_id = asked.user_id AND m.channel_id = asked.channel_id AND m.content = asked.content
          AND NOT m.deleted AND m.created_at >= asked.at - make_interval(secs => $5::float8)
          AND (asked.message_id IS NULL OR m.id < asked.message_id)
        ORDER BY m.created_at DESC, m.id DESC LIMIT 1))::float8 * 1000 AS identical_at_ms
    FROM (
      SELECT input.*, coalesce(uuid_extract_timestamp(message_id), now()) AS at
      FROM ${rowsOfArrays("uuid", "uuid", "text", "uuid")} WITH ORDINALITY
        AS input (user_id, channel_id, content, message_id, position)) AS asked
    ORDER BY position`,
  row: z.object({ sent_at_ms: z.number(), identical_at_ms: z.number().nullable() }),
});

const windowStatement = defineStatement({
  name: "automod_window",
  text: `SELECT ARRAY(
        SELECT m.id FROM messages m
        WHERE m.author_id = asked.user_id AND m.server_id = asked.server_id
          AND m.created_at > uuid_extract_timestamp(asked.message_id) - asked.window_ms * interval '1 millisecond'
          AND m.created_at <= uuid_extract_timestamp(asked.message_id) AND m.id <= asked.message_id
        ORDER BY m.created_at DESC, m.id DESC LIMIT $5) AS ids
    FROM ${rowsOfArrays("uuid", "uuid", "uuid", "int")} WITH ORDINALITY
      AS asked (user_id, server_id, message_id, window_ms, position)
    ORDER BY position`,
  row: z.object({ ids: z.array(z.string()) }),
});

/** Reads a user's latest messages from PostgreSQL; concurrent calls share a statement. */
export type RecentMessages = ReturnType<typeof createRecentMessages>;

export function createRecentMessages({ database }: { database: Database }) {
  const bounds = { inFlightMax: statementsInFlightMax, batchMax: lookupBatchMax };
  /** The latest undeleted message with the same user, channel and content, as far back as the rule looks. */
  const findIdentical = createBatcher<IdenticalQuestion, IdenticalAnswer>({
    ...bounds,
    async work(questions) {
      const columns = columnsOf(questions, "userId", "channelId", "content", "messageId");
      const rows = await database.query(identicalStatement, [...columns, duplicateWindowMs / 1_000]);
      return rows.map(({ sent_at_ms, identical_at_ms }) => ({ sentAtMs: sent_at_ms, identicalAtMs: identical_at_ms }));
    },
  });
  /**
   * Ids of the user's latest messages in the server within the window, deleted ones and itself included, oldest first.
   */
  const listWindow = createBatcher<WindowQuestion, string[]>({
    ...bounds,
    async work(questions) {
      const columns = columnsOf(questions, "userId", "serverId", "messageId", "windowMs");
      const rows = await database.query(windowStatement, [...columns, messagesListedMax]);
      return rows.map(({ ids }) => ids.reverse());
    },
  });
  return { findIdentical, listWindow };
}
