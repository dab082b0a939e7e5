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

/** A registration under way, which is counted before its account exists: others that begin meanwhile see it. */
export interface Beginner {
  /** Whether so many register that this one has to prove work. Counts it if not. */
  needsWork(): Promise<boolean>;
  /** To be called once the account is stored, or is not. Never rejects. */
  end(isStored: boolean): Promise<void>;
}

/** Counts registrations over all apis; while Redis is away it counts none, and the limits of rates remain. */
export function createRegistrationPace(redis: RedisConnection) {
  const windowsOf = (address: string) => [
    { key: "registrations", windowMs: minuteMs },
    { key: `registrations:${networkOf(address)}`, windowMs: hourMs },
  ];
  const isOver = ([all = 0, near = 0]: readonly number[]) => all > minuteMax || near >= networkMax;

  /** @returns how many others there are within each window, at the time when it was counted */
  const add = (address: string, id: string): Promise<number[]> => {
    const now = Date.now();
    const counts = windowsOf(address).map(async ({ key, windowMs }) => {
      const replies = await redis.client
        .multi()
        .zremrangebyscore(key, 0, now - windowMs)
        .zadd(key, now, id)
        .pexpire(key, windowMs)
        .zcard(key)
        .exec();
      return Number(replies?.at(-1)?.[1]) - 1;
    });
    return Promise.all(counts);
  };
  const remove = (address: string, id: string) =>
    Promise.all(windowsOf(address).map(({ key }) => redis.client.zrem(key, id)));

  return {
    /** Whether so many register that another request than a registration has to prove work. */
    async isHigh(address: string): Promise<boolean> {
      const counts = windowsOf(address).map(({ key, windowMs }) =>
        redis.client.zcount(key, Date.now() - windowMs, Number.POSITIVE_INFINITY),
      );
      return isOver(await Promise.all(counts).catch(() => []));
    },

    begin(address: string): Beginner {
      const id = randomUUID();
      let isCounted = false;
      return {
        async needsWork() {
          const others = await add(address, id).catch(() => []);
          isCounted = !isOver(others);
          if (!isCounted) await remove(address, id).catch(() => undefined);
          return !isCounted;
        },
        async end(isStored) {
          if (isStored === isCounted) return;
          await (isStored ? add(address, id) : remove(address, id)).catch(() => undefined);
        },
      };
    },
  };
}

export type RegistrationPace = ReturnType<typeof createRegistrationPace>;
