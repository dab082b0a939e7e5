import { type Database, defineStatement } from "@parley/database";
import { type MinimalLogger, repeat } from "@parley/service-runtime";
import { z } from "zod";
import { createNetworkTest, parseNetwork } from "./addresses.js";
import { networkBansLookMs } from "./limits.js";

/** A text that differs when the bans differ; the order of their changes does not matter. */
const stateStatement = defineStatement({
  name: "network_bans_state",
  text: "SELECT coalesce(sum(hashtextextended(id::text, 0)), 0)::text AS state FROM network_bans",
  row: z.object({ state: z.string() }),
});

const bansStatement = defineStatement({
  name: "network_bans_in_force",
  text: "SELECT cidr, expires_at FROM network_bans WHERE expires_at IS NULL OR expires_at > now()",
  row: z.object({ cidr: z.string(), expires_at: z.date().nullable() }),
});

/** The bans of networks, as this process knows them (docs/protocol/registration.md#bans). */
export interface NetworkBans {
  isBanned(address: string): boolean;
  /** Reads them now. Rejects while the database is unavailable. */
  refresh(): Promise<void>;
  /** Calls the function when networks may have been banned. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Follows the bans of networks, by a look at the database each second: what it says does not depend on a message that may be lost. While
 * the database is away, the bans that were read last hold.
 */
export async function watchNetworkBans(options: {
  database: Pick<Database, "query">;
  logger: MinimalLogger;
}): Promise<NetworkBans> {
  const { database, logger } = options;
  const listeners: (() => void)[] = [];
  let state = "";
  let firstEnd = Number.POSITIVE_INFINITY;
  let isBanned = createNetworkTest([]);

  async function refresh(): Promise<void> {
    const [found] = await database.query(stateStatement, []);
    const current = found?.state ?? "";
    if (current === state && Date.now() < firstEnd) return;
    const bans = await database.query(bansStatement, []);
    isBanned = createNetworkTest(bans.flatMap(({ cidr }) => parseNetwork(cidr) ?? []));
    firstEnd = Math.min(...bans.map(({ expires_at }) => expires_at?.getTime() ?? Number.POSITIVE_INFINITY));
    state = current;
    for (const listener of listeners) listener();
  }

  await refresh();
  const stop = repeat(
    () => refresh().catch((err: unknown) => logger.warn({ err }, "the bans of networks could not be read")),
    networkBansLookMs,
  );
  return {
    isBanned: (address) => isBanned(address),
    refresh,
    onChange: (listener) => listeners.push(listener),
    close: stop,
  };
}
