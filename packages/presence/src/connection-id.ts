import { randomUUID } from "node:crypto";

/**
 * A new id for a connection, unique over all processes. It says in which shard the connection is, so that the registry
 * counts the connections of each shard apart.
 *
 * @param shard number of the shard of the user's servers; null without shards
 */
export function createConnectionId(shard: number | null): string {
  return shard === null ? randomUUID() : `${randomUUID()}#${shard}`;
}
