import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { defineScript, type RedisConnection } from "@parley/redis";
import { reservationExpiryMs, reservationPollMs, reservationWaitMs } from "./limits.js";

/** What is being sent by whom, and the act of sending. */
export interface Sending {
  judgementId: string;
  userId: string;
  channelId: string;
  content: string;
}

/**
 * Key: `automod:sending:<channel>:<user>:<hash of the content>`, the judgement that holds it. Only the holder lets go: a
 * reservation may have expired and belong to somebody else by now.
 */
const releaseScript = defineScript({
  name: "automod-release",
  keyCount: 1,
  lua: `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`,
  reply: () => undefined,
});

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

export function createReservations({ redis }: { redis: RedisConnection }): Reservations {
  return {
    async take(sending, isDecided) {
      const key = keyOf(sending);
      const deadline = performance.now() + reservationWaitMs;
      for (;;) {
        const taken = await redis.client.set(key, sending.judgementId, "PX", reservationExpiryMs, "NX");
        if (taken !== null) return "taken";
        if (performance.now() >= deadline) return "held";
        await pause(reservationPollMs);
        if (await isDecided()) return "decided";
      }
    },
    async release(sending) {
      await redis.run(releaseScript, [keyOf(sending)], [sending.judgementId]);
    },
  };
}

function keyOf({ channelId, userId, content }: Sending): string {
  return `automod:sending:${channelId}:${userId}:${createHash("sha256").update(content).digest("base64url")}`;
}
