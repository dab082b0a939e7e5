import type { ReceivedEvent } from "@parley/messaging";
import type { Hub } from "../hub/hub.js";
import type { GatewayMetrics } from "../metrics.js";
import { toInboundEvent } from "../stream/inbound-event.js";
import { createComemberEvents } from "./comember-events.js";
import { invalidateVisibility, type PassServerEvent } from "./server-events.js";
import type { PassUserEvent } from "./user-events.js";

/**
 * Delivers an event, durable or ephemeral, to the local connections of its recipients: encoded once, through the serial
 * queue of its server or user, which keeps the order of the stream.
 */
export type FanOut = (event: ReceivedEvent, recovered: boolean) => void;

export function createFanOut(options: {
  hub: Hub;
  passServerEvent: PassServerEvent;
  passUserEvent: PassUserEvent;
  metrics: GatewayMetrics;
}): FanOut {
  const { hub, passServerEvent, passUserEvent, metrics } = options;
  const passToComembers = createComemberEvents({ hub });

  return (event, recovered) => {
    metrics.eventsReceived += 1;
    if (recovered) metrics.eventsRecovered += 1;
    const { scope } = event.address;
    if (scope.kind === "comembers") {
      passToComembers(scope.userId, toInboundEvent(event, recovered));
      return;
    }
    const server = scope.kind === "server" ? hub.server(scope.serverId) : undefined;
    const user = scope.kind === "user" ? hub.user(scope.userId) : undefined;
    if (server === undefined && user === undefined) return;
    const inbound = toInboundEvent(event, recovered);
    if (server !== undefined) {
      invalidateVisibility(hub, server, inbound);
      server.queue.add(() => passServerEvent(server, inbound));
    }
    user?.queue.add(() => passUserEvent(user, inbound));
  };
}
