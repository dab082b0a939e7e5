import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";

/** Pause between two looks at a turn that another request has. */
const nonceTurnPollMs = 20;

/**
 * How long a message may take from the first verdict of auto-moderation to the last, beyond the time that the verdicts
 * themselves may take. A request with the same nonce waits no longer for it.
 */
const nonceTurnMs = 4_000;

/** The key of requests that take turns. */
interface Turn {
  authorId: string;
  channelId: string;
  nonce: string;
}

/**
 * One request with a nonce at a time, over all processes, from before auto-moderation judges its message until after:
 * so a request that is repeated while the first one is under way finds the message stored, and is never judged. Only
 * judgements depend on it: that a nonce gets one message is up to the database.
 */
export interface NonceTurns {
  /**
   * Runs the work when no other request has the turn, or when one has had it for so long that its process must have
   * died; at once while Redis is away.
   */
  take<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>;
}

const freeScript = defineScript({
  name: "nonce-turn-free",
  keyCount: 1,
  lua: readLua(new URL("../../../lua/", import.meta.url), "nonce-turn-free"),
  reply: () => undefined,
});

/** The nonce is hashed because of its length and its characters. */
const redisKeyOf = ({ authorId, channelId, nonce }: Turn) =>
  `nonce-turn:${authorId}:${channelId}:${createHash("sha256").update(nonce).digest("base64url")}`;

/** @param options.verdictTimeoutMs how long the message waits for each of the two verdicts of auto-moderation */
export function createNonceTurns(options: { redis: RedisConnection; verdictTimeoutMs: number }): NonceTurns {
  const { redis } = options;
  const turnMs = nonceTurnMs + 2 * options.verdictTimeoutMs;

  const isTaken = async (redisKey: string, holder: string) => {
    const reply = await redis.client.set(redisKey, holder, "PX", turnMs, "NX").catch(() => "OK");
    return reply !== "OK";
  };

  return {
    async take(turn, work) {
      const redisKey = redisKeyOf(turn);
      const holder = randomUUID();
      const deadline = performance.now() + turnMs;
      while ((await isTaken(redisKey, holder)) && performance.now() < deadline) await pause(nonceTurnPollMs);
      try {
        return await work();
      } finally {
        await redis.run(freeScript, [redisKey], [holder]).catch(() => undefined);
      }
    },
  };
}
