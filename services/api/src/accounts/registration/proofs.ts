import { hkdfSync } from "node:crypto";
import { errorTexts, ServiceError } from "@parley/contracts";
import type { RedisConnection } from "@parley/redis";
import { createChallenge, extractParams, verifySolution } from "altcha-lib";

/** How long a challenge may be answered. */
const challengeTtlMs = 10 * 60_000;

/** Largest number that may solve a challenge: a telephone tries half as many in half a second. */
const numberMax = 30_000;

/** Longest answer: it is the challenge and a number, in base64. */
const answerLengthMax = 2_000;

/**
 * Proofs of work in the format of ALTCHA, version 1 (docs/protocol/registration.md#34.2): signed, so that every api knows those of
 * the others, and used up by one answer.
 *
 * @param secrets the first signs, all are accepted
 */
export function createProofs({ redis, secrets }: { redis: RedisConnection; secrets: readonly [string, ...string[]] }) {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "proof-of-work", 32)).toString("hex");
  const keys = [keyOf(secrets[0]), ...secrets.slice(1).map(keyOf)] as const;

  const isRight = async (answer: string): Promise<boolean> => {
    for (const key of keys) if (await verifySolution(answer, key)) return true;
    return false;
  };

  return {
    issue: () =>
      createChallenge({
        algorithm: "SHA-256",
        hmacKey: keys[0],
        maxNumber: numberMax,
        expires: new Date(Date.now() + challengeTtlMs),
      }),

    /**
     * Whether the answer of a request proves work, which it does once.
     *
     * @throws ServiceError 503 while Redis is away
     */
    async use(answer: unknown): Promise<boolean> {
      if (typeof answer !== "string" || answer.length > answerLengthMax) return false;
      const challenge = challengeOf(answer);
      if (challenge === null || !(await isRight(answer))) return false;
      const reply = await redis.client
        .set(`proof-of-work:${challenge}`, "used", "PX", challengeTtlMs + 60_000, "NX")
        .catch((cause: unknown) => {
          throw new ServiceError("unavailable", errorTexts.unavailable, { cause });
        });
      return reply === "OK";
    },
  };
}

export type Proofs = ReturnType<typeof createProofs>;

/** The challenge that a text answers, whose salt names its expiry; null for any other text. */
function challengeOf(answer: string): string | null {
  try {
    const { challenge, salt, algorithm }: Record<string, unknown> = JSON.parse(
      Buffer.from(answer, "base64").toString("utf8"),
    );
    if (typeof challenge !== "string" || typeof salt !== "string" || algorithm !== "SHA-256") return null;
    // A challenge without an end would be accepted again once Redis has forgotten it.
    return Number(extractParams(answer).expires) > 0 ? challenge : null;
  } catch {
    return null;
  }
}
