import { defineScript, type RedisConnection } from "@parley/redis";
import { createBatcher } from "@parley/service-runtime";
import { judgedExpirySeconds, lookupBatchMax, scriptsInFlightMax } from "./limits.js";

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

/** ARGV: expiry; then keys, which are many and of the moment: this needs one Redis, not Redis Cluster. */
const markScript = defineScript({
  name: "automod-mark",
  keyCount: 0,
  lua: `for index = 2, #ARGV do redis.call("SET", ARGV[index], 1, "EX", ARGV[1]) end`,
  reply: () => undefined,
});

export function createJudgedMarks({ redis }: { redis: RedisConnection }): JudgedMarks {
  const marking = createBatcher<string, true>({
    inFlightMax: scriptsInFlightMax,
    batchMax: lookupBatchMax,
    async work(judgementIds) {
      await redis.run(markScript, [], [judgedExpirySeconds, ...judgementIds.map(keyOf)]);
      return judgementIds.map(() => true);
    },
  });
  return {
    async set(judgementId) {
      await marking(judgementId).catch(() => undefined);
    },
    async find(judgementIds) {
      if (judgementIds.length === 0) return [];
      const marks = await redis.client.mget(judgementIds.map(keyOf)).catch(() => judgementIds.map(() => null));
      return marks.map((mark) => mark !== null);
    },
  };
}
