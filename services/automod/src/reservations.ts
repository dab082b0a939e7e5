import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createGather } from "@parley/database";
import { defineScript, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import {
  lookupBatchMax,
  reservationExpiryMs,
  reservationPollMs,
  reservationWaitMs,
  scriptsInFlightMax,
} from "./limits.js";

/** What is being sent by whom, and the act of sending. */
export interface Sending {
  judgementId: string;
  userId: string;
  channelId: string;
  content: string;
}

/**
 * Between the check of a message and its row in the database, another process would not know of it. A reservation makes
 * identical messages wait for each other during that time.
 */
export interface Reservations {
  /**
   * Takes the reservation, waiting for whoever holds it.
   *
   * @param isDecided looks, after each pause, whether waiting has become pointless
   * @returns `taken`; `decided` when `isDecided` said so; `held` when somebody else still has it after the wait
   */
  take(sending: Sending, isDecided: () => Promise<boolean>): Promise<"taken" | "decided" | "held">;
  /** Lets go; nothing happens when it is not (or no longer) held. */
  release(sending: Sending): Promise<void>;
}

/*
 * Key: `automod:sending:<channel>:<user>:<hash of the content>`, the judgement that holds it. Commands that are due at the
 * same moment go together, so keys are arguments: this needs one Redis, not Redis Cluster.
 */

/** ARGV: expiry; then pairs of key and judgement. Returns 1 for each that is taken now. */
const takeScript = defineScript({
  name: "automod-take",
  keyCount: 0,
  lua: `
local taken = {}
for index = 2, #ARGV, 2 do
  local set = redis.call("SET", ARGV[index], ARGV[index + 1], "PX", ARGV[1], "NX")
  taken[#taken + 1] = set and 1 or 0
end
return taken`,
  reply: (raw) => z.array(z.number()).parse(raw),
});

/**
 * ARGV: pairs of key and judgement. Only the holder lets go: a reservation may have expired and belong to somebody else
 * by now.
 */
const releaseScript = defineScript({
  name: "automod-release",
  keyCount: 0,
  lua: `
for index = 1, #ARGV, 2 do
  if redis.call("GET", ARGV[index]) == ARGV[index + 1] then redis.call("DEL", ARGV[index]) end
end`,
  reply: () => undefined,
});

export function createReservations({ redis }: { redis: RedisConnection }): Reservations {
  const bounds = { inFlightMax: scriptsInFlightMax, batchMax: lookupBatchMax };
  const pairs = (sendings: readonly Sending[]) => sendings.flatMap((sending) => [keyOf(sending), sending.judgementId]);
  const taking = createGather<Sending, boolean>({
    ...bounds,
    async work(sendings) {
      const taken = await redis.run(takeScript, [], [reservationExpiryMs, ...pairs(sendings)]);
      return taken.map((set) => set === 1);
    },
  });
  const releasing = createGather<Sending, true>({
    ...bounds,
    async work(sendings) {
      await redis.run(releaseScript, [], pairs(sendings));
      return sendings.map(() => true);
    },
  });
  return {
    async take(sending, isDecided) {
      const deadline = performance.now() + reservationWaitMs;
      for (;;) {
        if (await taking(sending)) return "taken";
        if (performance.now() >= deadline) return "held";
        await pause(reservationPollMs);
        if (await isDecided()) return "decided";
      }
    },
    async release(sending) {
      await releasing(sending);
    },
  };
}

function keyOf({ channelId, userId, content }: Sending): string {
  return `automod:sending:${channelId}:${userId}:${createHash("sha256").update(content).digest("base64url")}`;
}
