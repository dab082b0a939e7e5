import type { Connection } from "../connection/connection.js";
import type { Positions } from "../cursors/positions.js";
import type { Hub } from "../hub/hub.js";
import type { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import type { StreamWatch } from "../stream/stream-watch.js";

/**
 * Sets the replay boundary of a numbered connection: events of the stream up to it are never delivered live, later ones
 * always. To be called when the hub has the connection.
 *
 * @returns false when this node may not have received all events so far, because NATS is out of reach. The boundary of
 *   a continuing connection is then not set; for others it is, as READY includes the effects of events not received
 */
export async function setReplayBoundary(
  { numbering, userId }: Connection,
  { hub, stream, positions, handshakes }: ReplayBoundaryDependencies,
): Promise<boolean> {
  const isCertain = await stream.synchronise();
  await handshakes.enter();
  if (numbering === null || (!isCertain && numbering.cursor !== "")) return false;
  numbering.setReplayBoundary({
    sequence: stream.highWatermark(),
    position: positions.completePosition(),
    servers: hub.user(userId)?.servers ?? [],
  });
  return isCertain;
}

export interface ReplayBoundaryDependencies {
  hub: Pick<Hub, "user">;
  stream: Pick<StreamWatch, "synchronise" | "highWatermark">;
  positions: Positions;
  handshakes: Pick<TimeSlicedTasks, "enter">;
}
