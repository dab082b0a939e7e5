import type { ReceivedEvent } from "@parley/messaging";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { GatewayMetrics } from "../metrics.js";
import type { QueueTask } from "../scheduling/serial-queue.js";
import type { ComemberEvents } from "./comember-events.js";
import { invalidateVisibility, type ServerEvents } from "./server-events.js";
import type { UserEvents } from "./user-events.js";

/**
 * Delivers an event, durable or ephemeral, to the local connections of its recipients, through the serial queue of its
 * server or user, which keeps the order of the stream.
 */
export class FanOut {
  constructor(
    private readonly options: {
      hub: Hub;
      serverEvents: Pick<ServerEvents, "dispatch">;
      userEvents: Pick<UserEvents, "dispatch" | "waiting">;
      comemberEvents: ComemberEvents;
      metrics: GatewayMetrics;
    },
  ) {}

  dispatch(event: ReceivedEvent): void {
    const { hub, serverEvents, userEvents, comemberEvents, metrics } = this.options;
    metrics.eventsReceived += 1;
    metrics.delays.received(event);
    if (event.recovered) metrics.eventsRecovered += 1;
    const { scope } = event.address;
    if (scope.kind === "comembers") {
      comemberEvents.dispatch(scope.userId, event);
      return;
    }
    const server = scope.kind === "server" ? hub.server(scope.serverId) : undefined;
    const user = scope.kind === "user" ? hub.user(scope.userId) : undefined;
    if (server !== undefined) {
      invalidateVisibility(hub, server, event);
      enqueue(server, event, () => serverEvents.dispatch(server, event));
    }
    if (user === undefined) return;
    if (!user.queue.isIdle) userEvents.waiting(user, event);
    enqueue(user, event, () => userEvents.dispatch(user, event));
  }
}

/** An event that is not dispatched at once is pending until it is. */
function enqueue(
  { queue, subscription: { pending } }: Pick<UserEntry, "queue" | "subscription">,
  { stored }: ReceivedEvent,
  dispatch: QueueTask,
): void {
  if (stored === null) {
    queue.add(dispatch);
    return;
  }
  const { sequence } = stored;
  queue.add(() => {
    const dispatching = startDispatch();
    if (dispatching === undefined) pending.dispatched(sequence);
    else return dispatching.then(() => pending.dispatched(sequence));
  });
  if (!queue.isIdle) pending.wait(sequence);

  /** A task that throws is dropped. */
  function startDispatch(): void | Promise<void> {
    try {
      return dispatch();
    } catch (error) {
      pending.dispatched(sequence);
      throw error;
    }
  }
}
