import { createBatcher } from "@parley/service-runtime";
import { batchMax, inFlightMax } from "./limits.js";
import type { LocalConnection } from "./local-connection.js";
import type { Registry } from "./registry.js";

/**
 * Stores in Redis what a connection shows when its turn comes. Connections that are asked for while a script runs share the next
 * one. Rejects while Redis is out of reach.
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
    // The script leaves out what is registered under another lease: its next registration brings what it shows.
    for (const { connection, view } of shown) if (connection.lease === lease) connection.storedView = view;
    return connectionIds.map(() => undefined);
  }

  return createBatcher({ work: store, batchMax, inFlightMax });
}
