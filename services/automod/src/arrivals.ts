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

/** Key of a member's arrivals, a sorted set of message ids by position. `member` is `<server>:<user>`. */
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
   * Assigns the next positions to those messages that have none, and returns the messages up to the last of them.
   *
   * @param messageIds ids of the user's latest messages in the database, oldest first, the judged one last
   * @returns the judged message's arrival and those before it, the judged one first
   */
  arrive(member: { serverId: string; userId: string }, messageIds: readonly string[]): Promise<Arrival[]>;
}

/**
 * Positions decide which of several concurrent messages exceeds the spam limit. Times in the database do not suffice:
 * each judgement reads the database at another moment, so two judgements could each take the other's message for the
 * earlier one. A position is assigned once, atomically in Redis, to the message that any judgement lists first.
 * Messages that the database has and that are not judged yet come before the judged one. A repeated judgement finds the
 * same positions, and has the same verdict.
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

/** Arrivals in the order of the database, used while Redis is out of reach. */
export function arrivalsByTime(messageIds: readonly string[]): Arrival[] {
  return toArrivals(messageIds.toReversed());
}

/** @param ids latest first */
function toArrivals(ids: readonly string[]): Arrival[] {
  return ids.map((id, index) => ({ position: ids.length - index, sentAtMs: sentAtMs(id) }));
}
