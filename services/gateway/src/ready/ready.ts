import { dispatchFrame, hasNewerKeys, withoutNewerKeys } from "@parley/contracts";
import type { Database } from "@parley/database";
import { encodeTextFrame } from "../connection/frames.js";
import { type ReadyQuery, readyPayload } from "./ready-payload.js";
import { createReadyQueue } from "./ready-queue.js";
import { type ReadyRow, readyStatement } from "./ready-statement.js";
import type { FindStructures, ServerStructure } from "./server-structures.js";

/**
 * Builds the READY frame of a user for a connection's version and shard; null for a deleted account. Rejects when a
 * statement fails. Requests of a user for the same of both that share a build get the same bytes.
 * READYs are built by a queue that is fair between users, so that a reconnect storm does not overload the database.
 */
export function createReadyBuilder(options: { database: Pick<Database, "query">; findStructures: FindStructures }) {
  const { database, findStructures } = options;
  const readFrames = createReadyQueue({
    async read(userIds) {
      const users = await database.query(readyStatement, [userIds]);
      const structures = await findStructures(new Map(users.flatMap(({ servers }) => [...servers])));
      return new Map(users.map((user) => [user.userId, { user, structures }]));
    },
    async finish(part) {
      return part === undefined ? null : createFrames(part.user, part.structures);
    },
  });
  return async (userId: string, query: ReadyQuery): Promise<Buffer | null> =>
    (await readFrames(userId))?.(query) ?? null;
}

export type BuildReady = ReturnType<typeof createReadyBuilder>;

/** The frame of each version and shard, encoded at its first use. */
function createFrames(user: ReadyRow, structures: ReadonlyMap<string, ServerStructure>): (query: ReadyQuery) => Buffer {
  const frames = new Map<string, Buffer>();
  return (query) => {
    const { version, shard } = query;
    const key = shard === null ? `${version}` : `${version} ${shard.index}/${shard.count}`;
    const text = () => forVersion(version, dispatchFrame("READY", readyPayload(user, structures, query)));
    const frame = frames.get(key) ?? encodeTextFrame(Buffer.from(text()));
    frames.set(key, frame);
    return frame;
  };
}

/** Connections without `v=2` do not get newer keys (docs/protocol/messages.md#33.3). */
const forVersion = (version: ReadyQuery["version"], frame: string): string =>
  version === 1 && hasNewerKeys(frame) ? withoutNewerKeys(frame) : frame;
