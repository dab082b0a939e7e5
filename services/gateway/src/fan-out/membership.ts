import { type EventPayload, subjects } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { GapFiller } from "../stream/gap.js";
import type { StreamWatch } from "../stream/stream-watch.js";
import type { Subscriptions } from "../stream/subscriptions.js";
import type { ServerEvents } from "./server-events.js";

/**
 * Applies the joins and leaves of connected users. A leave is queued behind the events of the server that were received
 * before it; a join takes effect in the server's entry at once, so that the entry is not removed before the join.
 */
export class Memberships {
  constructor(
    private readonly options: {
      hub: Hub;
      subscriptions: Pick<Subscriptions, "confirmed">;
      gaps: Pick<GapFiller, "fill">;
      serverEvents: Pick<ServerEvents, "dispatch">;
      stream: Pick<StreamWatch, "synchronise" | "highWatermark">;
    },
  ) {}

  /**
   * @param event SERVER_JOINED: the user receives every later event of the server
   * @returns undefined when no connection is to be told; else it resolves when they were told, or have gone
   */
  join(user: UserEntry, serverId: string, event: ReceivedEvent): void | Promise<void> {
    const { hub } = this.options;
    const sequence = event.stored?.sequence ?? 0;
    if (user.connections.length === 0) return;
    user.changedServers?.add(serverId);
    const { server, isNew } = hub.getOrCreateServer(serverId, sequence);
    if (!server.has(user) && server.subscription.position.highest > sequence) {
      // The join was recovered after other users here had received later events of the server.
      hub.closeForResync([user], "a join was received after events that followed it");
      return;
    }
    server.join(user);
    const announced = user.hearsChanges ? server.announcements.add({ user, event, leaveReason: null }) : undefined;
    hub.loadPending(server);
    if (isNew) {
      server.subscription.pending.beginReading(sequence + 1);
      server.queue.add(() => this.#fillGapSinceJoin(server, sequence));
    }
    return announced;
  }

  leave(user: UserEntry, left: EventPayload<"SERVER_LEFT">, event: ReceivedEvent): void {
    const { hub } = this.options;
    const { server_id: serverId, reason = "left" } = left;
    user.changedServers?.add(serverId);
    const server = hub.server(serverId);
    if (server === undefined) return;
    server.queue.add(() => {
      if (user.connections.length === 0) return;
      server.leave(user);
      // Whoever deletes their account is told by the end of their sessions.
      if (!user.hearsChanges || reason === "account_deleted") return;
      void server.announcements.add({ user, event, leaveReason: reason });
    });
    hub.loadPending(server);
  }

  /**
   * Delivers the server's events between the join and the confirmation of the subscription; none that is above the high
   * watermark, because the cursors of its frames would be from before it.
   */
  async #fillGapSinceJoin(server: ServerEntry, sequence: number): Promise<void> {
    const { subscriptions, gaps, serverEvents, stream } = this.options;
    await subscriptions.confirmed();
    server.confirmSubscription();
    if (!(await stream.synchronise())) throw new Error("this node may not have received all events yet");
    const gap = {
      filter: subjects.storedServer(server.id),
      from: sequence + 1,
      known: null,
      to: stream.highWatermark(),
    };
    await gaps.fill(gap, (event) => serverEvents.dispatch(server, event));
    server.subscription.pending.endReading();
  }
}
