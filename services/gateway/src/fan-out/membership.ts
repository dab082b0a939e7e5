import { LeaveReason, subjects } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { crc32 } from "../query/shard.js";
import type { GapFiller } from "../stream/gap.js";
import type { StreamWatch } from "../stream/stream-watch.js";
import type { Subscriptions } from "../stream/subscriptions.js";
import type { Announcer } from "./announce.js";
import type { ServerEvents } from "./server-events.js";

/** Processes of the version before say none. */
const Reason = LeaveReason.catch("left");

/**
 * Applies the joins and leaves of connected users. A leave is queued behind the events of the server that were received
 * before it, unless the gap since a join has later ones; a join takes effect in the server's entry at once, so that the entry is not removed before the join.
 */
export class Memberships {
  constructor(
    private readonly options: {
      hub: Hub;
      subscriptions: Pick<Subscriptions, "confirmed">;
      gaps: Pick<GapFiller, "fill">;
      serverEvents: Pick<ServerEvents, "dispatch">;
      announcer: Pick<Announcer, "leave">;
      stream: Pick<StreamWatch, "synchronise" | "highWatermark">;
    },
  ) {}

  /**
   * @param event SERVER_JOINED: the user receives every later event of the server
   * @returns undefined when no connection needs the announcement; else it resolves when they got it, or are gone
   */
  join(user: UserEntry, serverId: string, event: ReceivedEvent): void | Promise<void> {
    const { hub } = this.options;
    const sequence = event.stored?.sequence ?? 0;
    if (user.connections.length === 0) return;
    user.changedServers?.add(serverId);
    const { server, isNew } = hub.getOrCreateServer(serverId, sequence);
    if (!server.has(user) && server.subscription.position.highest > sequence) {
      // Others here have received later events of the server. A connection that reads them at SERVER_JOIN has them,
      // too.
      hub.closeForResync([user], "a join was received after events that followed it", (one) => !getsJoins(one));
      if (user.connections.length === 0) return;
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

  /**
   * Ends a former member's delivery of later events of the server, though the leave itself waits in the user's queue
   * behind the announcement of an earlier join.
   */
  endReceiving(user: UserEntry, serverId: string, event: ReceivedEvent): void {
    const server = this.options.hub.server(serverId);
    if (!server?.has(user)) return;
    server.departures.add(event, () => {
      if (server.has(user)) server.leave(user);
    });
  }

  /**
   * @param event SERVER_LEFT: the user receives no later event of the server
   * @returns undefined when no connection hears of it; else it resolves when the leave has its place among the
   *   announcements, so that a later join, which is to wait for that, is announced behind it
   */
  leave(user: UserEntry, serverId: string, event: ReceivedEvent): void | Promise<void> {
    const { hub, announcer } = this.options;
    const reason = Reason.parse(event.facts.reason);
    user.changedServers?.add(serverId);
    // A deleted account gets no announcement: the end of its sessions is enough.
    const leaveReason = reason !== "account_deleted" && user.hearsChanges ? reason : null;
    const server = hub.server(serverId);
    if (server === undefined || !server.has(user)) {
      // The membership had ended before it was loaded, but a READY may have had it: one that was read before the leave.
      if (leaveReason !== null && user.areServersLoaded)
        announcer.leave(user, { id: serverId, crc: crc32(serverId) }, { event, reason: leaveReason });
      return;
    }
    const left = new Promise<void>((resolve) => {
      const apply = () => {
        resolve();
        if (user.connections.length === 0) return;
        server.leave(user);
        if (leaveReason !== null) void server.announcements.add({ user, event, leaveReason });
      };
      server.departures.add(event, apply, resolve);
    });
    hub.loadPending(server);
    if (leaveReason !== null) return left;
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
    await gaps.fill(gap, (event) => {
      server.departures.applyBefore(event);
      return serverEvents.dispatch(server, event);
    });
    server.subscription.pending.endReading();
  }
}

function getsJoins({ query: { version, events } }: Connection): boolean {
  return version === 2 && (events?.has("SERVER_JOIN") ?? true);
}
