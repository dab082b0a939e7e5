import { defineStatement, type Queryable, type RawRow, rowsOfArrays } from "@parley/database";
import { z } from "zod";
import { claimBatchMax } from "./limits.js";

// Statements skip rows that another process has locked, so nothing is claimed twice.

/** A connection that interactions of its bot may go to. */
export interface Candidate {
  readonly id: string;
  /** Null for a connection with all servers. */
  readonly shard: { readonly index: number; readonly count: number } | null;
}

/** An interaction that is for a connection of this node now. */
export interface ClaimedInteraction {
  id: string;
  connectionId: string;
  /** Text of the frame. */
  frame: string;
}

/**
 * Claims the waiting interactions of the bot $4 for the connections $1 to $3 of the gateway process $5, each once at
 * most. `crc32` is that of docs/protocol/connecting.md#20.4.
 */
const connectionsStatement = defineStatement({
  name: "interaction_claim_connections",
  text: `WITH waiting AS (
      SELECT i.id, candidate.connection_id
      FROM interactions i, LATERAL (
        SELECT c.connection_id
        FROM ${rowsOfArrays("text", "integer", "integer")} AS c (connection_id, shard, shards)
        WHERE (c.shards IS NULL OR crc32(i.server_id::text::bytea) % c.shards = c.shard)
          AND c.connection_id <> ALL (i.connections)
        ORDER BY random() LIMIT 1) AS candidate
      WHERE i.bot_user_id = $4 AND i.state = 'pending' AND i.connection_id IS NULL AND NOT i.by_http AND i.due_at > now()
      ORDER BY i.id LIMIT ${claimBatchMax}
      FOR UPDATE OF i SKIP LOCKED)
    UPDATE interactions i SET connection_id = waiting.connection_id, gateway_id = $5,
      connections = i.connections || waiting.connection_id
    FROM waiting WHERE i.id = waiting.id
    RETURNING i.id, i.connection_id, i.frame`,
  row: (row: RawRow): ClaimedInteraction => ({
    id: String(row.id),
    connectionId: String(row.connection_id),
    frame: String(row.frame),
  }),
});

const dispatcherStatement = defineStatement({
  name: "interaction_claim_dispatcher",
  text: `WITH waiting AS (
      SELECT i.id, b.id AS bot_id, coalesce(b.created_by, b.user_id) AS owner_id, b.interactions_url AS url, b.interactions_secret AS secret
      FROM interactions i JOIN bots b ON b.user_id = i.bot_user_id
      WHERE i.by_http AND i.state = 'pending' AND i.connection_id IS NULL AND i.due_at > now()
        AND b.interactions_url IS NOT NULL
      ORDER BY i.due_at LIMIT ${claimBatchMax}
      FOR UPDATE OF i SKIP LOCKED)
    UPDATE interactions i SET connection_id = $1
    FROM waiting WHERE i.id = waiting.id
    RETURNING i.id, waiting.bot_id, waiting.owner_id, waiting.url, waiting.secret, i.frame,
      (extract(epoch FROM i.due_at - now()) * 1000)::float8 AS left_ms`,
  row: z.object({
    id: z.string(),
    bot_id: z.string(),
    /** The account that made the bot; the bot's own once that is deleted. */
    owner_id: z.string(),
    url: z.string(),
    secret: z.string(),
    frame: z.string(),
    /** Milliseconds until it expires. */
    left_ms: z.number(),
  }),
});

const releaseStatement = defineStatement({
  name: "interaction_release",
  text: `UPDATE interactions SET connection_id = NULL, gateway_id = NULL
    WHERE id = ANY ($1::uuid[]) AND connection_id = $2 AND state = 'pending'
    RETURNING id`,
  row: (row: RawRow) => String(row.id),
});

/** Claims interactions with a bot that wait, at most {@link claimBatchMax}, for connections of a gateway process. */
export function claimForConnections(
  database: Pick<Queryable, "query">,
  { botUserId, gatewayId, candidates }: { botUserId: string; gatewayId: string; candidates: readonly Candidate[] },
): Promise<ClaimedInteraction[]> {
  return database.query(connectionsStatement, [
    candidates.map(({ id }) => id),
    candidates.map(({ shard }) => shard?.index ?? null),
    candidates.map(({ shard }) => shard?.count ?? null),
    botUserId,
    gatewayId,
  ]);
}

/** Claims interactions with bots that are asked by HTTP, at most {@link claimBatchMax}, for a dispatcher. */
export const claimForDispatcher = (database: Pick<Queryable, "query">, dispatcherId: string) =>
  database.query(dispatcherStatement, [dispatcherId]);

/**
 * Gives interactions back that were not answered or not sent, so that another process may claim them.
 *
 * @param holder the connection or the dispatcher that has them
 * @returns those that were unanswered until now
 */
export const releaseInteractions = (
  database: Pick<Queryable, "query">,
  holder: string,
  ids: readonly string[],
): Promise<string[]> => database.query(releaseStatement, [ids, holder]);
