import { randomUUID } from "node:crypto";
import { isIPv6 } from "node:net";
import type { RedisConnection } from "@parley/redis";
import { ipKeyGenerator } from "express-rate-limit";

/** More registrations than this within the minute make everybody prove work. */
const minuteMax = 10;
/** As many from one network within the hour make that network prove work. */
const networkMax = 3;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The network of an address: a /24 of IPv4, a /64 of IPv6. */
export const networkOf = (address: string): string =>
  isIPv6(address) ? ipKeyGenerator(address, 64) : `${address.split(".").slice(0, 3).join(".")}.0/24`;

/** Counts registrations over all apis; while Redis is away it counts none, and the limits of rates remain. */
export function createRegistrationPace(redis: RedisConnection) {
  const everywhere = "registrations";
  const keyOf = (address: string) => `registrations:${networkOf(address)}`;
  /** Registrations by their time, within the window. */
  const count = (key: string, windowMs: number) =>
    redis.client.zcount(key, Date.now() - windowMs, Number.POSITIVE_INFINITY).catch(() => 0);
  const add = (key: string, windowMs: number) => {
    const now = Date.now();
    const added = redis.client
      .multi()
      .zadd(key, now, randomUUID())
      .zremrangebyscore(key, 0, now - windowMs);
    return added
      .pexpire(key, windowMs)
      .exec()
      .catch(() => undefined);
  };
  return {
    /** Whether so many register that the next one has to prove work. */
    async isHigh(address: string): Promise<boolean> {
      const [all, near] = await Promise.all([count(everywhere, minuteMs), count(keyOf(address), hourMs)]);
      return all > minuteMax || near >= networkMax;
    },

    /** Counts a registration. Never rejects. */
    async note(address: string): Promise<void> {
      await Promise.all([add(everywhere, minuteMs), add(keyOf(address), hourMs)]);
    },
  };
}

export type RegistrationPace = ReturnType<typeof createRegistrationPace>;
