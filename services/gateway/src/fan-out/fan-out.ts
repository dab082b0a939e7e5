import type { ReceivedEvent } from "@parley/messaging";
import type { Hub } from "../hub/hub.js";
import type { GatewayMetrics } from "../metrics.js";
import { createComemberEvents } from "./comember-events.js";
import { invalidateVisibility, type PassServerEvent } from "./server-events.js";
import type { PassUserEvent } from "./user-events.js";

/**
 * Delivers an event, durable or ephemeral, to the local connections of its recipients, through the serial queue of its
 * server or user, which keeps the order of the stream.
 */
export type FanOut = (event: ReceivedEvent) => void;

export function createFanOut(options: {
  hub: Hub;
  passServerEvent: PassServerEvent;
  passUserEvent: PassUserEvent;
  metrics: GatewayMetrics;
}): FanOut {
  const { hub, passServerEvent, passUserEvent, metrics } = options;
  const passToComembers = createComemberEvents({ hub });

  return (event) => {
    metrics.eventsReceived += 1;
    if (event.recovered) metrics.eventsRecovered += 1;
    const { scope } = event.address;
    if (scope.kind === "comembers") {
      passToComembers(scope.userId, event);
      return;
    }
    const server = scope.kind === "server" ? hub.server(scope.serverId) : undefined;
    const user = scope.kind === "user" ? hub.user(scope.userId) : undefined;
    if (server === undefined && user === undefined) return;
    if (server !== undefined) {
      invalidateVisibility(hub, server, event);
      server.queue.add(() => passServerEvent(server, event));
    }
    user?.queue.add(() => passUserEvent(user, event));
  };
}
