import { type Channel, channelTypes } from "@parley/contracts";
import type { ChannelRow } from "../../access/repository.js";

/** A channel as REST answers with it (docs/protocol/objects.md#4.9). */
export function toChannel(row: ChannelRow): Channel {
  const type = channelTypes.find((known) => known === row.type);
  if (type === undefined) throw new Error(`Channel ${row.id} is of unknown type ${row.type}`);
  return {
    id: row.id,
    server_id: row.server_id,
    name: row.name,
    type,
    position: row.position,
    category: row.category,
    topic: row.topic,
    ...(row.slow_mode_seconds > 0 ? { slow_mode_seconds: row.slow_mode_seconds } : {}),
    ...(row.user_limit > 0 ? { user_limit: row.user_limit } : {}),
    created_at: row.created_at.toISOString(),
  };
}
