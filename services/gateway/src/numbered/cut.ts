import type { Connection } from "../connection/connection.js";
import type { Positions } from "../cursors/positions.js";
import type { Hub } from "../hub/hub.js";
import type { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";

/**
 * Fixes the place in the stream at which the live events of a numbered connection begin: no event up to there is
 * delivered live, every later one is. Called once the hub has the connection.
 *
 * @returns false when this node may not have received all events so far, because NATS is out of reach. That matters to
 *   a client that continues, whose cut is then not made; one that begins anew reads the rest in READY
 */
export type MakeCut = (connection: Connection) => Promise<boolean>;

export function createCut(options: {
  hub: Pick<Hub, "user">;
  stream: { synchronise(): Promise<boolean>; highWatermark(): number };
  positions: Positions;
  openings: Pick<TimeSlicedTasks, "turn">;
}): MakeCut {
  const { hub, stream, positions, openings } = options;
  return async ({ numbering, userId }) => {
    const isCertain = await stream.synchronise();
    await openings.turn();
    if (numbering === null || (!isCertain && numbering.cursor !== "")) return false;
    numbering.makeCut({
      sequence: stream.highWatermark(),
      position: positions.completePosition(),
      servers: hub.user(userId)?.servers ?? [],
    });
    return isCertain;
  };
}
