import { type Database, defineStatement, type RawRow, rowsOfArrays } from "@parley/database";

/** Most interactions that one statement claims. */
export const claimBatchMax = 100;

/** A connection that interactions of its bot may go to. */
export interface Candidate {
  readonly id: string;
  /** Null for a connection with all servers. */
  readonly shard: { readonly index: number; readonly count: number } | null;
}

/** An interaction that is for a connection of this node now. */
export interface Claimed {
  id: string;
  connectionId: string;
  /** Text of the frame. */
  frame: string;
}

/**
 * Claims what waits for the bot $4 for the connections $1 to $3 of the gateway process $5, each once at most. What another gateway
 * is claiming is left to it. `crc32` is that of docs/interface.md#20.4.
 */
const claimStatement = defineStatement({
  name: "gateway_interaction_claim",
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
  row: (row: RawRow): Claimed => ({
    id: String(row.id),
    connectionId: String(row.connection_id),
    frame: String(row.frame),
  }),
});

/** Gives back what a connection has not answered, so that another one may get it. */
const releaseStatement = defineStatement({
  name: "gateway_interaction_release",
  text: `UPDATE interactions SET connection_id = NULL, gateway_id = NULL
    WHERE id = ANY ($1::uuid[]) AND connection_id = $2 AND state = 'pending'
    RETURNING id`,
  row: (row: RawRow) => String(row.id),
});

/** Claims interactions with a bot that wait, at most {@link claimBatchMax}. */
export function claimInteractions(
  database: Pick<Database, "query">,
  { botUserId, gatewayId, candidates }: { botUserId: string; gatewayId: string; candidates: readonly Candidate[] },
): Promise<Claimed[]> {
  return database.query(claimStatement, [
    candidates.map(({ id }) => id),
    candidates.map(({ shard }) => shard?.index ?? null),
    candidates.map(({ shard }) => shard?.count ?? null),
    botUserId,
    gatewayId,
  ]);
}

/** @returns those that were unanswered until now */
export function releaseInteractions(
  database: Pick<Database, "query">,
  connectionId: string,
  ids: readonly string[],
): Promise<string[]> {
  return database.query(releaseStatement, [ids, connectionId]);
}
