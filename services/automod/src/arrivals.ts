import { defineScript, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import { arrivalsExpiryMs } from "./limits.js";
import type { Arrival } from "./rules/spam.js";
import { sentAtMs } from "./sent-at.js";

/** Positions that are remembered per user and server, and returned: several times what any spam limit asks for. */
const rememberedMax = 500;
const returnedMax = 200;

/**
 * Key: `automod:arrivals:<server>:<user>`, a sorted set of message ids by their position.
 * ARGV: expiry, most remembered, most returned; then ids, oldest first, the last one being the message that is judged.
 */
const arriveScript = defineScript({
  name: "automod-arrive",
  keyCount: 1,
  lua: `
local key = KEYS[1]
redis.call("ZREMRANGEBYRANK", key, 0, -ARGV[2] - 1)
local last = redis.call("ZREVRANGE", key, 0, 0, "WITHSCORES")[2]
local position = last and tonumber(last) or 0
for index = 4, #ARGV do
  if not redis.call("ZSCORE", key, ARGV[index]) then
    position = position + 1
    redis.call("ZADD", key, position, ARGV[index])
  end
end
redis.call("PEXPIRE", key, ARGV[1])
local judged = redis.call("ZSCORE", key, ARGV[#ARGV])
return redis.call("ZREVRANGEBYSCORE", key, judged, "-inf", "LIMIT", 0, ARGV[3])`,
  reply: (raw) => z.array(z.string()).parse(raw),
});

/** The order in which messages were stored, one for all processes. */
export interface Arrivals {
  /**
   * Gives messages their positions, unless they have one already, and returns those up to the last of them.
   *
   * @param messageIds what the database shows of the user's latest messages, oldest first, the judged one last
   * @returns the judged message's arrival and those before it, the judged one first
   */
  arrive(member: { serverId: string; userId: string }, messageIds: readonly string[]): Promise<Arrival[]>;
}

/**
 * Of concurrent messages, each judgement sees others that were stored a moment earlier or later, so the times in the
 * database alone would let two judgements disagree about who was the one too many. Here whoever is seen first comes
 * first, for everybody and for good; what the database shows and nobody has judged yet comes before the judged message.
 * A repeated judgement finds its position again and comes to the same verdict.
 */
export function createArrivals({ redis }: { redis: RedisConnection }): Arrivals {
  return {
    async arrive({ serverId, userId }, messageIds) {
      const key = `automod:arrivals:${serverId}:${userId}`;
      const ids = await redis.run(arriveScript, [key], [arrivalsExpiryMs, rememberedMax, returnedMax, ...messageIds]);
      return toArrivals(ids);
    },
  };
}

/** Arrivals as the database's own order has them, for when Redis is away. */
export function arrivalsByTime(messageIds: readonly string[]): Arrival[] {
  return toArrivals(messageIds.toReversed());
}

/** @param ids latest first */
function toArrivals(ids: readonly string[]): Arrival[] {
  return ids.map((id, index) => ({ position: ids.length - index, sentAtMs: sentAtMs(id) }));
}
