import { setTimeout as pause } from "node:timers/promises";
import { closeCodes } from "@parley/contracts";
import type { Hub } from "../hub/hub.js";
import { closeTimeoutMs, drainStepMs } from "../limits.js";
import type { Sessions } from "./session.js";

/**
 * Closes all connections (1001) at an even rate, which limits the reconnects per second on the other nodes; then waits
 * until the sockets are closed, at most {@link closeTimeoutMs}.
 *
 * @param options.seconds duration of the closing; 0 closes all at once
 */
export async function drainConnections(options: { hub: Hub; sessions: Sessions; seconds: number }): Promise<void> {
  const { hub, sessions, seconds } = options;
  const steps = Math.max(1, Math.ceil((seconds * 1_000) / drainStepMs));
  for (let step = steps; step > 0; step--) {
    const connections = [...hub.connections()];
    for (const connection of connections.slice(0, Math.ceil(connections.length / step))) {
      connection.close(closeCodes.goingAway);
    }
    if (step > 1) await pause(drainStepMs);
  }
  const deadline = performance.now() + closeTimeoutMs;
  while (sessions.openSockets > 0 && performance.now() < deadline) await pause(drainStepMs);
}
