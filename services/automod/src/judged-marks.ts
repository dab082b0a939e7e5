import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { createBatcher } from "@parley/service-runtime";
import { judgedExpirySeconds, lookupBatchMax, scriptsInFlightMax } from "./limits.js";

const lua = new URL("../lua/", import.meta.url);

/**
 * Marks of stored messages that need not be judged late. An optimisation: a judgement can be repeated without effect,
 * so a lost mark only costs another judgement.
 */
export interface JudgedMarks {
  /** Never rejects. */
  set(judgementId: string): Promise<void>;
  /** For each judgement whether it was marked; none when Redis is away. */
  find(judgementIds: readonly string[]): Promise<boolean[]>;
}

const keyOf = (judgementId: string) => `automod:judged:${judgementId}`;

const markScript = defineScript({
  name: "automod-mark",
  keyCount: 0,
  lua: readLua(lua, "mark"),
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
