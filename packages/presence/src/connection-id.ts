import { randomUUID } from "node:crypto";

/**
 * A new id for a connection, unique over all processes. It contains the shard, as the registry limits connections per
 * shard.
 *
 * @param shard number of the shard of the user's servers; null without shards
 */
export function createConnectionId(shard: number | null): string {
  return shard === null ? randomUUID() : `${randomUUID()}#${shard}`;
}
