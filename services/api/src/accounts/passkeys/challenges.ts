import { errorTexts, ServiceError } from "@parley/contracts";
import type { RedisConnection } from "@parley/redis";
import { challengeTtlMs } from "./limits.js";

/** The purpose of a challenge; an answer to a challenge of another purpose does not count. */
export type Purpose = "registration" | "authentication" | "second-factor";

/** Stands for the account in challenges that are for nobody known yet. */
export const anybody = "anybody";

export function createChallenges(redis: RedisConnection) {
  const keyOf = (purpose: Purpose, challenge: string) => `passkey-challenge:${purpose}:${challenge}`;
  const orUnavailable = (cause: unknown): never => {
    throw new ServiceError("unavailable", errorTexts.unavailable, { cause });
  };
  return {
    /** @param account the account that may answer, by id, or {@link anybody} */
    async keep(purpose: Purpose, challenge: string, account: string): Promise<void> {
      await redis.client.set(keyOf(purpose, challenge), account, "PX", challengeTtlMs).catch(orUnavailable);
    },

    /**
     * Uses up a challenge, whatever the result of the answer.
     *
     * @returns the account that may answer; null for a challenge that is unknown, used up, expired or of another purpose
     */
    async take(purpose: Purpose, challenge: string): Promise<string | null> {
      return redis.client.getdel(keyOf(purpose, challenge)).catch(orUnavailable);
    },
  };
}

/** Random texts for authenticators to sign, shared by all apis; each takes one answer. */
export type Challenges = ReturnType<typeof createChallenges>;
