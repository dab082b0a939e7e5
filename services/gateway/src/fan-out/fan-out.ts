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
      serverEvents: Pick<ServerEvents, "pass">;
      userEvents: Pick<UserEvents, "pass">;
      comemberEvents: ComemberEvents;
      metrics: GatewayMetrics;
    },
  ) {}

  pass(event: ReceivedEvent): void {
    const { hub, serverEvents, userEvents, comemberEvents, metrics } = this.options;
    metrics.eventsReceived += 1;
    if (event.recovered) metrics.eventsRecovered += 1;
    const { scope } = event.address;
    if (scope.kind === "comembers") {
      comemberEvents.pass(scope.userId, event);
      return;
    }
    const server = scope.kind === "server" ? hub.server(scope.serverId) : undefined;
    const user = scope.kind === "user" ? hub.user(scope.userId) : undefined;
    if (server !== undefined) {
      invalidateVisibility(hub, server, event);
      enqueue(server, event, () => serverEvents.pass(server, event));
    }
    if (user !== undefined) enqueue(user, event, () => userEvents.pass(user, event));
  }
}

/** An event that is not passed on at once is pending until it is. */
function enqueue(
  { queue, subscription: { pending } }: Pick<UserEntry, "queue" | "subscription">,
  { stored }: ReceivedEvent,
  pass: QueueTask,
): void {
  if (stored === null) {
    queue.add(pass);
    return;
  }
  const { sequence } = stored;
  queue.add(() => {
    const passing = startPass();
    if (passing === undefined) pending.pass(sequence);
    else return passing.then(() => pending.pass(sequence));
  });
  if (!queue.isIdle) pending.wait(sequence);

  /** A task that throws is dropped. */
  function startPass(): void | Promise<void> {
    try {
      return pass();
    } catch (error) {
      pending.pass(sequence);
      throw error;
    }
  }
}
