import { errorTexts, ServiceError } from "@parley/contracts";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { z } from "zod";
import { unpublishedMax } from "./limits.js";

const folder = new URL("../lua/", import.meta.url);
const Texts = z.array(z.string());

const define = (name: string) =>
  defineScript({
    name: `voice-${name}`,
    keyCount: 0,
    lua: `local unpublishedMax = ${unpublishedMax}\n${readLua(folder, "prelude", name)}`,
    reply: (raw) => Texts.parse(raw),
  });

/**
 * The scripts of the folder `lua`; `prelude.lua` describes the keys that they use in Redis. Those that change something
 * return the changes as JSON texts; none when there was nothing to change.
 */
const scripts = {
  join: define("join"),
  update: define("update"),
  leave: define("leave"),
  moderate: define("moderate"),
  move: define("move"),
  clear: define("clear"),
  list: define("list"),
  startGoLive: define("start-go-live"),
  stopGoLive: define("stop-go-live"),
  claim: define("claim"),
  confirm: define("confirm"),
  reconcile: define("reconcile"),
} as const;

/** The keys of a user's state and of a channel's broadcast. */
export const stateKey = {
  voice: (userId: string) => `voice:user:${userId}`,
  go_live: (channelId: string) => `go-live:${channelId}`,
} as const;

/**
 * Errors that Redis answers with while it starts, fails over or has no room, and scripts while too many changes wait to
 * be published: an outage as well.
 */
const passingReplies =
  /^(UNPUBLISHEDFULL|LOADING|MASTERDOWN|READONLY|NOREPLICAS|OOM|MISCONF|BUSY|CLUSTERDOWN|UNKILLABLE)\b/;

/** Voice states in Redis. Its functions throw ServiceError `unavailable` while it is out of reach; a script may have run. */
export type VoiceStore = ReturnType<typeof createVoiceStore>;

export function createVoiceStore(redis: RedisConnection) {
  const ask = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      const isBug = error instanceof Error && error.name === "ReplyError" && !passingReplies.test(error.message);
      throw isBug ? error : new ServiceError("unavailable", errorTexts.unavailable, { cause: error });
    }
  };
  return {
    /** Runs a script and returns its texts; none when it returned nothing. */
    run: (name: keyof typeof scripts, args: readonly (string | number)[]) => ask(redis.run(scripts[name], [], args)),
    /** The states under keys, read at one moment; null for none. */
    read: (...keys: string[]) => ask(redis.client.mget(keys)),
  };
}
