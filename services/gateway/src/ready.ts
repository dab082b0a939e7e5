import { dispatchFrame } from "@parley/contracts";
import type { Database } from "@parley/database";
import { readyBuildsMax } from "./limits.js";
import { readyStatement } from "./ready-statement.js";
import { createTurns } from "./turns.js";
import { encodeTextFrame } from "./websocket-frame.js";

/** Builds the READY frame of a user; null when the account is gone. Rejects when the database cannot be asked. */
export type BuildReady = (userId: string) => Promise<Buffer | null>;

/**
 * A limited number of READYs is built at a time and the others wait in order, so that a storm of reconnects neither
 * floods the database nor lets anybody starve.
 */
export function createReadyBuilder(options: { database: Pick<Database, "query"> }): BuildReady {
  const { database } = options;
  const takeTurn = createTurns(readyBuildsMax);
  return (userId) =>
    takeTurn(async () => {
      const [payload] = await database.query(readyStatement, [userId]);
      return payload === undefined ? null : encodeTextFrame(Buffer.from(dispatchFrame("READY", payload)));
    });
}
