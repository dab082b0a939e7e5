import type { RedisConnection } from "./connection.js";

/** A request of a bot for a route that Parley does not serve. */
export interface MissingRoute {
  /** ISO time. */
  at: string;
  /** `GET /guilds/1/templates`. */
  route: string;
}

/** Of each bot the latest are kept, for some time; one that repeats counts once an hour. */
const routesMax = 20;
const keptSeconds = 30 * 86_400;
const repeatSeconds = 3_600;
const routeLengthMax = 200;

/** Routes of Discord's API that bots asked for in vain (docs/discord.md#rest), for their owners. */
export type MissingRoutes = ReturnType<typeof createMissingRoutes>;

export function createMissingRoutes({ redis }: { redis: Pick<RedisConnection, "client"> }) {
  const keyOf = (botId: string) => `missing-routes:${botId}`;
  return {
    /** @returns whether this is the first time of the hour */
    async record(botId: string, route: string): Promise<boolean> {
      const cut = route.slice(0, routeLengthMax);
      const key = keyOf(botId);
      const isNew = await redis.client.set(`${key}:${cut}`, "", "EX", repeatSeconds, "NX");
      if (isNew === null) return false;
      const entry: MissingRoute = { at: new Date().toISOString(), route: cut };
      await redis.client.lpush(key, JSON.stringify(entry));
      await redis.client.ltrim(key, 0, routesMax - 1);
      await redis.client.expire(key, keptSeconds);
      return true;
    },
    /** Newest first. */
    async list(botId: string): Promise<MissingRoute[]> {
      const entries = await redis.client.lrange(keyOf(botId), 0, -1);
      return entries.map((entry) => JSON.parse(entry) as MissingRoute);
    },
  };
}
