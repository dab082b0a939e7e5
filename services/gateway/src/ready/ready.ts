import { dispatchFrame } from "@parley/contracts";
import type { Database } from "@parley/database";
import { encodeTextFrame } from "../connection/frames.js";
import { readyPayload } from "./ready-payload.js";
import { createReadyQueue } from "./ready-queue.js";
import { readyStatement } from "./ready-statement.js";
import { createServerStructures } from "./server-structures.js";

/** Builds the READY frame of a user; null for a deleted account. Rejects when a statement fails. */
export type BuildReady = (userId: string) => Promise<Buffer | null>;

/** READYs are built by a queue that is fair between users, so that a reconnect storm does not overload the database. */
export function createReadyBuilder(options: { database: Pick<Database, "query"> }): BuildReady {
  const { database } = options;
  const findStructures = createServerStructures({ database });
  return createReadyQueue({
    async read(userIds) {
      const users = await database.query(readyStatement, [userIds]);
      const structures = await findStructures(new Map(users.flatMap(({ servers }) => [...servers])));
      return new Map(users.map((user) => [user.userId, { user, structures }]));
    },
    async finish(part) {
      if (part === undefined) return null;
      return encodeTextFrame(Buffer.from(dispatchFrame("READY", readyPayload(part.user, part.structures))));
    },
  });
}
