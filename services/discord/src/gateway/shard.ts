import { isShown, snowflakeOf } from "../ids/snowflake.js";

/** Number of a connection, and of how many. */
export type Shard = readonly [number, number];

/** Whether a server belongs to a shard. Ids without a snowflake belong to none. */
export function isInShard([index, count]: Shard, serverId: string): boolean {
  return isShown({ id: serverId }) && Number((BigInt(snowflakeOf(serverId)) >> 22n) % BigInt(count)) === index;
}
