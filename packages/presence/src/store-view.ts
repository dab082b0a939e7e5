import { createBatcher } from "@parley/service-runtime";
import { batchMax, inFlightMax } from "./limits.js";
import type { LocalConnection } from "./local-connection.js";
import type { Registry } from "./registry.js";

/**
 * Stores in Redis the channels that a connection shows when its turn comes. Calls that come while a script runs share
 * the next one. Rejects while Redis is out of reach.
 */
export function createStoreView(options: {
  registry: Pick<Registry, "setViews">;
  /** The lease of the process. */
  lease(): string;
  find(connectionId: string): LocalConnection | undefined;
}): (connectionId: string) => Promise<undefined> {
  const { registry, find } = options;

  async function store(connectionIds: readonly string[]): Promise<undefined[]> {
    const lease = options.lease();
    const shown = connectionIds.flatMap((connectionId) => {
      const connection = find(connectionId);
      if (connection === undefined) return [];
      const { userId, isNumbered, view } = connection;
      return [{ userId, connectionId, isNumbered, view, connection }];
    });
    await registry.setViews(lease, shown);
    // The script skips connections of another lease: their next registration brings their channels.
    for (const { connection, view } of shown) if (connection.lease === lease) connection.storedView = view;
    return connectionIds.map(() => undefined);
  }

  return createBatcher({ work: store, batchMax, inFlightMax });
}
