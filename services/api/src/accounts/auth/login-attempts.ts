import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { errorTexts, type LimitName, rateLimited } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { RedisConnection } from "@parley/redis";
import { ipKeyGenerator } from "express-rate-limit";
import { type AttemptCounts, type CountedAttempt, createAttemptCounts } from "../../platform/load/attempt-counts.js";
import {
  failedLoginsMax,
  failedLoginsPerAddressMax,
  failedLoginsPerKnownAddressMax,
  failedLoginWindowMs,
  knownAddressWindowMs,
} from "./limits.js";
import { isKnownAddress, rememberAddress } from "./repository.js";

/** Prefix length of IPv6 that counts as one client: a customer controls all 2^64 addresses behind it. */
const ipv6PrefixBits = 64;

/** A guess at a password; until it has succeeded it counts as failed, so that many at once pass no limit. */
export interface LoginAttempt extends CountedAttempt {
  /** Takes it out of the counts and remembers the address. Never rejects. */
  succeed(userId: string): Promise<void>;
}

export function createLoginAttempts({ database, redis }: { database: Database; redis: RedisConnection }) {
  const everywhere = createAttemptCounts({
    redis,
    name: "login-attempt",
    limits: [failedLoginsPerAddressMax, failedLoginsMax],
    windowMs: failedLoginWindowMs,
  });
  // Apart from the others, so that guesses from elsewhere do not lock the account's owner out.
  const atKnownAddresses = createAttemptCounts({
    redis,
    name: "known-address-attempt",
    limits: [failedLoginsPerKnownAddressMax],
    windowMs: knownAddressWindowMs,
  });

  /** @param limits names of the limits of the keys, in their order */
  const begin = async (counts: AttemptCounts, keys: readonly string[], limits: readonly [LimitName, LimitName?]) => {
    const attempt = await counts.begin(keys);
    if (!("retryAfterSeconds" in attempt)) return attempt;
    throw rateLimited(limits[attempt.full] ?? limits[0], errorTexts.rate_limited, attempt.retryAfterSeconds);
  };
  const beginAnywhere = (subject: string, addressHash: string, limits: readonly [LimitName, LimitName]) =>
    begin(everywhere, [`login:address:${addressHash}`, `login:account:${hash(subject)}`], limits);

  const remember = (userId: string, addressHash: string) =>
    rememberAddress(database, userId, addressHash).catch(() => undefined);

  return {
    /**
     * A guess at the password of the account with this name; names without an account are counted alike.
     *
     * @param address of the client, as in the rate limits
     * @throws ServiceError 429 after too many failed ones
     */
    async ofPassword(username: string, address: string): Promise<LoginAttempt> {
      const addressHash = addressHashOf(username, address);
      const isKnown = await isKnownAddress(database, username, addressHash);
      const attempt = isKnown
        ? await begin(atKnownAddresses, [`login:known:${addressHash}`], ["login_known_address"])
        : await beginAnywhere(username, addressHash, ["login_address", "login_account"]);
      return {
        ...attempt,
        async succeed(userId) {
          await Promise.all([attempt.withdraw(), remember(userId, addressHash)]);
        },
      };
    },

    /** Remembers the address of a login that was no guess. Never rejects. */
    remember({ id, username }: { id: string; username: string }, address: string): Promise<void> {
      return remember(id, addressHashOf(username, address));
    },

    /**
     * A guess at a code of the account's second factor. Codes are short, so that guesses are limited at every address
     * alike, those that the account has logged in from included.
     *
     * @throws ServiceError 429 after too many failed ones
     */
    ofCode(userId: string, address: string): Promise<CountedAttempt> {
      const subject = `second factor of ${userId}`;
      return beginAnywhere(subject, addressHashOf(subject, address), [
        "second_factor_address",
        "second_factor_account",
      ]);
    },
  };
}

/** Limits of guesses at an account's password and codes (docs/protocol/limits.md#16.3). */
export type LoginAttempts = ReturnType<typeof createLoginAttempts>;

function addressHashOf(subject: string, address: string): string {
  return hash(`${subject}\n${networkOf(address)}`);
}

/** The address, of IPv6 the network of one customer. */
function networkOf(address: string): string {
  return isIPv6(address) ? ipKeyGenerator(address, ipv6PrefixBits) : address;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
