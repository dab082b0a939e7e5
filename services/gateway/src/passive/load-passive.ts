import { type Database, defineStatement } from "@parley/database";
import type { RedisConnection } from "@parley/redis";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { z } from "zod";
import { passiveAbove, passiveBatchMax, passiveBelow, passiveKeptSeconds } from "../limits.js";

/** Whether a server is passive, by the number of its connected members (docs/protocol/passive-servers.md#27). */
export interface PassiveRule {
  /** With more it is. */
  above: number;
  /** With fewer it is active; with a number between the two it keeps its state. */
  below: number;
}

export const defaultPassiveRule: PassiveRule = { above: passiveAbove, below: passiveBelow };

/** The decision about a server, with its last one. */
export interface Decision {
  isPassive: boolean;
  /** Whether a gateway took it for passive within the last {@link passiveKeptSeconds}. */
  wasPassive: boolean;
}

/** Reads no more members than decide. */
const connectedStatement = defineStatement({
  name: "gateway_connected_members",
  text: `
SELECT asked.id AS server_id, (
  SELECT count(*)::integer FROM (
    SELECT FROM members m JOIN users u ON u.id = m.user_id AND u.connected WHERE m.server_id = asked.id LIMIT $2
  ) connected) AS connected
FROM unnest((SELECT $1::uuid[])) AS asked (id)`,
  row: z.object({ server_id: z.string(), connected: z.int() }),
});

/**
 * Decides whether servers are passive. Redis keeps a gateway's decision for a while, so that another gateway, or one
 * that begins, decides the same with a number between the two of the rule.
 */
export function createPassiveLoader(options: {
  database: Pick<Database, "query">;
  redis: Pick<RedisConnection, "client" | "ready">;
  rule: PassiveRule;
  logger: Logger;
}) {
  const { database, redis, rule, logger } = options;
  const keyOf = (serverId: string) => `gateway:passive:${serverId}`;

  /** Empty while Redis is away: then each gateway goes by its own last decision. */
  async function keptOf(serverIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (serverIds.length === 0 || !redis.ready) return new Set();
    try {
      const values = await redis.client.mget(serverIds.map(keyOf));
      return new Set(serverIds.filter((_, index) => values[index] !== null));
    } catch (err) {
      logger.warn({ err }, "which servers are passive could not be read");
      return new Set();
    }
  }

  async function keep(serverIds: readonly string[]): Promise<void> {
    if (serverIds.length === 0 || !redis.ready) return;
    try {
      const pipeline = redis.client.pipeline();
      for (const id of serverIds) pipeline.set(keyOf(id), "1", "EX", passiveKeptSeconds);
      await pipeline.exec();
    } catch (err) {
      logger.warn({ err }, "which servers are passive could not be noted");
    }
  }

  async function decide(servers: readonly { id: string; isPassive: boolean }[]): Promise<Decision[]> {
    const counted = await database.query(connectedStatement, [servers.map(({ id }) => id), rule.above + 1]);
    const connected = new Map(counted.map((row) => [row.server_id, row.connected]));
    const isBetween = (id: string) => {
      const count = connected.get(id) ?? 0;
      return count >= rule.below && count <= rule.above;
    };
    const kept = await keptOf(servers.map(({ id }) => id));
    const decided = servers.map(({ id, isPassive }) => {
      const wasPassive = isPassive || kept.has(id);
      return { isPassive: isBetween(id) ? wasPassive : (connected.get(id) ?? 0) > rule.above, wasPassive };
    });
    await keep(servers.filter((_, index) => decided[index]?.isPassive).map(({ id }) => id));
    return decided;
  }

  return createBatcher({ work: decide, batchMax: passiveBatchMax, inFlightMax: 1 });
}

/** Rejects when the database does not answer. */
export type LoadPassive = ReturnType<typeof createPassiveLoader>;
