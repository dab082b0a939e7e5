import { setTimeout as pause } from "node:timers/promises";
import { closeCodes } from "@parley/contracts";
import type { Connection } from "../connection/connection.js";
import type { Hub } from "../hub/hub.js";
import { closeTimeoutMs, drainStepMs, numberedDrainMs } from "../limits.js";
import { isNumbered, type Sessions } from "./session.js";

/**
 * Closes all connections (1001) at an even rate, which limits the reconnects per second on the other nodes; then waits
 * until the sockets are closed, at most {@link closeTimeoutMs}. Numbered connections are closed within
 * {@link numberedDrainMs}: their clients continue on another node without READY and without a change of presence.
 *
 * @param options.seconds duration of the closing; 0 closes all at once
 */
export async function drainConnections(options: { hub: Hub; sessions: Sessions; seconds: number }): Promise<void> {
  const { hub, sessions, seconds } = options;
  const stepsOf = (durationMs: number) => Math.max(1, Math.ceil(durationMs / drainStepMs));
  const steps = stepsOf(seconds * 1_000);
  const numberedSteps = Math.min(steps, stepsOf(numberedDrainMs));
  for (let step = 0; step < steps; step++) {
    const connections = [...hub.connections()];
    if (connections.length === 0) break;
    closeShare(connections.filter(isNumbered), numberedSteps - step);
    closeShare(
      connections.filter((connection) => !isNumbered(connection)),
      steps - step,
    );
    if (step < steps - 1) await pause(drainStepMs);
  }
  const deadline = performance.now() + closeTimeoutMs;
  while (sessions.openSockets > 0 && performance.now() < deadline) {
    // Those whose upgrade was under way when the last ones were closed.
    closeShare([...hub.connections()], 1);
    await pause(drainStepMs);
  }
}

/** Closes as many that so many steps, this one included, close all. */
function closeShare(connections: readonly Connection[], stepsLeft: number): void {
  for (const connection of connections.slice(0, Math.ceil(connections.length / Math.max(1, stepsLeft)))) {
    connection.close(closeCodes.goingAway);
  }
}
