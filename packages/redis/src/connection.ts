import { type MinimalLogger, within } from "@parley/service-runtime";
import { Redis, type RedisOptions } from "ioredis";
import { addressOf } from "./address.js";
import {
  commandTimeoutMs,
  connectTimeoutMs,
  firstConnectionTimeoutMs,
  quitTimeoutMs,
  reconnectDelayMaxMs,
  silentSocketTimeoutMs,
} from "./limits.js";
import type { Script } from "./script.js";

/**
 * A connection that outlives outages. While Redis is away every command fails at once instead of waiting, and one whose
 * connection breaks under it fails without being sent again: it may or may not have run.
 */
export interface RedisConnection {
  /** The ioredis client, for commands that need no script. */
  readonly client: Redis;
  /** Whether commands have a chance right now. */
  readonly ready: boolean;
  /** Runs a script atomically. Rejects when Redis is away, when the script fails, or when its reply is not readable. */
  run<T>(script: Script<T>, keys: readonly string[], args: readonly (string | number)[]): Promise<T>;
  /** Resolves when Redis answers within the time, else rejects. */
  ping(timeoutMs: number): Promise<void>;
  /** Waits briefly for replies under way, then closes for good. */
  close(): Promise<void>;
}

/**
 * Connects to Redis (6.2 or later) and reconnects after every loss, without a limit of attempts. An outage is logged
 * once when it begins and once when it ends. Never rejects: without Redis it resolves after a short wait and continues
 * to connect in the background.
 *
 * @param options.url of Redis, or of the sentinels that know where its primary is (`redis+sentinel://a,b,c/mymaster`)
 * @param options.name shown by `CLIENT LIST`
 */
export async function connectRedis(options: {
  url: string;
  name: string;
  logger: MinimalLogger;
}): Promise<RedisConnection> {
  const { logger } = options;
  const address = addressOf(options.url, { retryDelayMs });
  const settings: RedisOptions = {
    ...address.options,
    connectionName: options.name,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silentSocketTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: retryDelayMs,
    // After a failover the old primary answers READONLY until the address leads to the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
  };
  const client = address.url === undefined ? new Redis(settings) : new Redis(address.url, settings);

  let away = false;
  let closing = false;
  const noteAway = (details: object) => {
    if (away || closing) return;
    away = true;
    logger.warn(details, "Redis is not reachable");
  };
  client.on("error", (err) => noteAway({ err }));
  client.on("close", () => noteAway({}));
  client.on("ready", () => {
    if (away) logger.info({}, "Redis is reachable again");
    away = false;
  });
  await firstConnection(client);

  async function evaluate<T>(script: Script<T>, keys: readonly string[], args: readonly (string | number)[]) {
    try {
      return await client.evalsha(script.sha, keys.length, ...keys, ...args);
    } catch (error) {
      // A restarted or flushed Redis has lost the script; EVAL loads it again.
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return client.eval(script.lua, keys.length, ...keys, ...args);
    }
  }

  return {
    client,
    get ready() {
      return !closing && client.status === "ready";
    },
    async run(script, keys, args) {
      if (script.keyCount !== null && keys.length !== script.keyCount) {
        throw new RangeError(`The script ${script.name} takes ${script.keyCount} keys, not ${keys.length}.`);
      }
      return script.reply(await evaluate(script, keys, args));
    },
    async ping(timeoutMs) {
      await within(client.ping(), timeoutMs, () => {
        throw new Error(`Redis did not answer within ${timeoutMs} ms`);
      });
    },
    async close() {
      closing = true;
      try {
        await within(client.quit(), quitTimeoutMs, () => undefined);
      } catch {
        // Not connected: there is nothing to wait for.
      }
      client.disconnect();
    },
  };
}

const retryDelayMs = (attempt: number) =>
  Math.min(50 * 2 ** Math.min(attempt, 10), reconnectDelayMaxMs) * (0.5 + Math.random() / 2);

function firstConnection(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, firstConnectionTimeoutMs);
    client.once("ready", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
