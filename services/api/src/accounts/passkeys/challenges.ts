import { errorTexts, ServiceError } from "@parley/contracts";
import type { RedisConnection } from "@parley/redis";
import { challengeTtlMs } from "./limits.js";

/** What an answer is for; one to a challenge of another purpose is none. */
export type Purpose = "registration" | "authentication" | "second-factor";

/** Stands for the account in challenges that are for nobody known yet. */
export const anybody = "anybody";

export function createChallenges(redis: RedisConnection) {
  const keyOf = (purpose: Purpose, challenge: string) => `passkey-challenge:${purpose}:${challenge}`;
  const orUnavailable = (cause: unknown): never => {
    throw new ServiceError("unavailable", errorTexts.unavailable, { cause });
  };
  return {
    /** @param account who may answer: an account's id or {@link anybody} */
    async keep(purpose: Purpose, challenge: string, account: string): Promise<void> {
      await redis.client.set(keyOf(purpose, challenge), account, "PX", challengeTtlMs).catch(orUnavailable);
    },

    /**
     * Uses up a challenge, whatever becomes of the answer.
     *
     * @returns who may answer; null for one that is unknown, used up, expired or of another purpose
     */
    async take(purpose: Purpose, challenge: string): Promise<string | null> {
      return redis.client.getdel(keyOf(purpose, challenge)).catch(orUnavailable);
    },
  };
}

/** Random texts that authenticators sign, kept for all apis together, each of which is answered once. */
export type Challenges = ReturnType<typeof createChallenges>;
