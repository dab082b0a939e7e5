import { dispatchFrame } from "@parley/contracts";
import { createGather, type Database } from "@parley/database";
import { readyBatchesInFlightMax, readyBatchMax } from "./limits.js";
import { readyPayload } from "./ready-payload.js";
import { readyStatement } from "./ready-statement.js";
import { createServerStructures } from "./server-structures.js";
import { encodeTextFrame } from "./websocket-frame.js";

/** Builds the READY frame of a user; null when the account is gone. Rejects when the database cannot be asked. */
export type BuildReady = (userId: string) => Promise<Buffer | null>;

/**
 * Those who wait share statements, and a limited number of these is under way, so that a storm of reconnects neither
 * floods the database nor lets anybody starve.
 */
export function createReadyBuilder(options: { database: Pick<Database, "query"> }): BuildReady {
  const { database } = options;
  const findStructures = createServerStructures({ database });

  async function build(userIds: readonly string[]): Promise<(Buffer | null)[]> {
    const users = await database.query(readyStatement, [[...new Set(userIds)]]);
    const structures = await findStructures(new Map(users.flatMap(({ servers }) => [...servers])));
    const frames = new Map(
      users.map((user) => [
        user.userId,
        encodeTextFrame(Buffer.from(dispatchFrame("READY", readyPayload(user, structures)))),
      ]),
    );
    return userIds.map((userId) => frames.get(userId) ?? null);
  }

  return createGather({ work: build, batchMax: readyBatchMax, inFlightMax: readyBatchesInFlightMax });
}
