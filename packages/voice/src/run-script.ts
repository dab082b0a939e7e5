import { errorTexts, ServiceError } from "@parley/contracts";
import type { RedisConnection, Script } from "@parley/redis";
import { z } from "zod";

/** Runs a script and returns its texts; none when it returned nothing. */
export type RunVoiceScript = (script: Script<unknown>, args: readonly (string | number)[]) => Promise<string[]>;

const Texts = z.array(z.string());

/**
 * What Redis answers while it starts, fails over or has no room, and scripts while too much waits to be announced: an
 * outage as well.
 */
const passingReplies = /^(UNSAIDFULL|LOADING|MASTERDOWN|READONLY|NOREPLICAS|OOM|MISCONF|BUSY|CLUSTERDOWN|UNKILLABLE)\b/;

/**
 * Runs scripts of this package.
 *
 * The functions it returns throw ServiceError `unavailable` while Redis is out of reach; the script may have run.
 */
export function scriptRunner(redis: RedisConnection): RunVoiceScript {
  return async (script, args) => {
    let raw: unknown;
    try {
      raw = await redis.run(script, [], args);
    } catch (error) {
      const isBug = error instanceof Error && error.name === "ReplyError" && !passingReplies.test(error.message);
      throw isBug ? error : new ServiceError("unavailable", errorTexts.unavailable, { cause: error });
    }
    return Texts.parse(raw);
  };
}
