import type { RedisConnection } from "@parley/redis";
import { judgedExpirySeconds } from "./limits.js";

/**
 * Which stored messages need not be judged late. Only a saving: a judgement can be repeated without effect, so a lost
 * mark costs time and nothing else.
 */
export interface JudgedMarks {
  /** Never rejects. */
  set(judgementId: string): Promise<void>;
  /** For each judgement whether it was marked; none when Redis is away. */
  find(judgementIds: readonly string[]): Promise<boolean[]>;
}

const keyOf = (judgementId: string) => `automod:judged:${judgementId}`;

export function createJudgedMarks({ redis }: { redis: RedisConnection }): JudgedMarks {
  return {
    async set(judgementId) {
      await redis.client.set(keyOf(judgementId), "1", "EX", judgedExpirySeconds).catch(() => undefined);
    },
    async find(judgementIds) {
      if (judgementIds.length === 0) return [];
      const marks = await redis.client.mget(judgementIds.map(keyOf)).catch(() => judgementIds.map(() => null));
      return marks.map((mark) => mark !== null);
    },
  };
}
