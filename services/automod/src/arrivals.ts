import { defineScript, type RedisConnection } from "@parley/redis";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import {
  arrivalsExpiryMs,
  arrivalsListedMax,
  arrivalsRememberedMax,
  lookupBatchMax,
  scriptsInFlightMax,
} from "./limits.js";
import type { Arrival } from "./rules/spam.js";
import { sentAtMs } from "./sent-at.js";

/** Where the arrivals of a member are, named `<server>:<user>`: a sorted set of message ids by their position. */
export const arrivalsKey = (member: string) => `automod:arrivals:${member}`;

/**
 * Messages that are judged at the same moment go together, so keys are arguments: this needs one Redis, not Redis Cluster.
 *
 * ARGV: expiry, most remembered, most returned; then for each message a JSON array of the key and the ids, oldest first,
 * the message itself last. Returns for each the ids up to its position, latest first, without those that are older than
 * all that were given: ids sort by time.
 */
const arriveScript = defineScript({
  name: "automod-arrive",
  keyCount: 0,
  lua: `
local answers = {}
for number = 4, #ARGV do
  local ids = cjson.decode(ARGV[number])
  local key = ids[1]
  redis.call("ZREMRANGEBYRANK", key, 0, -ARGV[2] - 1)
  local last = redis.call("ZREVRANGE", key, 0, 0, "WITHSCORES")[2]
  local position = last and tonumber(last) or 0
  for index = 2, #ids do
    if not redis.call("ZSCORE", key, ids[index]) then
      position = position + 1
      redis.call("ZADD", key, position, ids[index])
    end
  end
  redis.call("PEXPIRE", key, ARGV[1])
  local judged = redis.call("ZSCORE", key, ids[#ids])
  local arrived = {}
  for _, id in ipairs(redis.call("ZREVRANGEBYSCORE", key, judged, "-inf", "LIMIT", 0, ARGV[3])) do
    if id >= ids[2] then arrived[#arrived + 1] = id end
  end
  answers[#answers + 1] = arrived
end
return answers`,
  reply: (raw) => z.array(z.array(z.string())).parse(raw),
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
  const arriving = createBatcher<string, Arrival[]>({
    inFlightMax: scriptsInFlightMax,
    batchMax: lookupBatchMax,
    async work(arrivals) {
      const limits = [arrivalsExpiryMs, arrivalsRememberedMax, arrivalsListedMax];
      return (await redis.run(arriveScript, [], [...limits, ...arrivals])).map(toArrivals);
    },
  });
  return {
    async arrive({ serverId, userId }, messageIds) {
      // A message that is gone with its channel has no arrival.
      if (messageIds.length === 0) return [];
      return arriving(JSON.stringify([arrivalsKey(`${serverId}:${userId}`), ...messageIds]));
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
