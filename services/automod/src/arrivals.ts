import { defineScript, type RedisConnection, readLua } from "@parley/redis";
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

const lua = new URL("../lua/", import.meta.url);

/** Where the arrivals of a member are, named `<server>:<user>`: a sorted set of message ids by their position. */
export const arrivalsKey = (member: string) => `automod:arrivals:${member}`;

const arriveScript = defineScript({
  name: "automod-arrive",
  keyCount: 0,
  lua: readLua(lua, "arrive"),
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
 * database alone would let two judgements disagree about who was the one too many. Here the message that is
 * seen first comes first, in all processes and for good; what the database shows and is not judged yet comes before the
 * judged message.
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
