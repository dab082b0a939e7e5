import type { RedisConnection } from "@parley/redis";
import { lookedAtMax } from "./limits.js";
import { defineRegistryScript } from "./registry.js";

/** Somebody and a channel that they may look at. */
export interface UserChannel {
  userId: string;
  channelId: string;
}

/** The channels that users look at (docs/protocol/notifications.md#26.2), for any process with a connection to Redis. */
export type Views = ReturnType<typeof createViews>;

const lookedAtScript = defineRegistryScript("looked-at");

/** Reads the notes of gateways by `Presence.setView`. */
export function createViews({ redis }: { redis: RedisConnection }) {
  return {
    /**
     * Which of the channels their users look at: whether a connection of the user, to whichever gateway that lives, shows it and is
     * active. One round trip for at most 500 pairs; rejects while Redis is out of reach.
     *
     * @returns one answer for each pair, in their order
     */
    async lookedAt(pairs: readonly UserChannel[]): Promise<boolean[]> {
      if (pairs.length > lookedAtMax) throw new Error(`More than ${lookedAtMax} pairs`);
      const answers = await redis.run(
        lookedAtScript,
        [],
        pairs.flatMap(({ userId, channelId }) => [userId, channelId]),
      );
      return answers.map((answer) => answer === "1");
    },
  };
}
