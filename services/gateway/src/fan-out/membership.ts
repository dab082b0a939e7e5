import { subjects } from "@parley/contracts";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { FillGap } from "../stream/gap.js";
import { toInboundEvent } from "../stream/inbound-event.js";
import type { Subscriptions } from "../stream/subscriptions.js";
import type { PassServerEvent } from "./server-events.js";

/**
 * Local users who join and leave servers while connected. A leave waits for the events of the server that came before; a
 * join is known to the server's entry at once, so that the entry cannot end with the join unheard.
 */
export interface Memberships {
  /** @param sequence of the event that says so: whatever the server has had since then, the user gets */
  join(user: UserEntry, serverId: string, sequence: number): void;
  leave(user: UserEntry, serverId: string): void;
}

export function createMemberships(options: {
  hub: Hub;
  subscriptions: Subscriptions;
  fillGap: FillGap;
  passServerEvent: PassServerEvent;
}): Memberships {
  const { hub, subscriptions, fillGap, passServerEvent } = options;

  /** The server's events between the joining and the moment in which the subscription was in force. */
  async function fillGapSinceJoin(server: ServerEntry, sequence: number): Promise<void> {
    await subscriptions.confirmed();
    server.confirmSubscription();
    const gap = { filter: subjects.storedServer(server.id), from: sequence + 1, known: null };
    await fillGap(gap, (event) => passServerEvent(server, toInboundEvent(event, true)));
  }

  return {
    join(user, serverId, sequence) {
      if (user.connections.length === 0) return;
      user.changedServers?.add(serverId);
      const { server, isNew } = hub.getOrCreateServer(serverId, sequence);
      if (!server.has(user) && server.subscription.position.highest > sequence) {
        // The join itself was read again, after the others here had got what followed it.
        hub.closeForResync([user], "a join was heard after events that followed it");
        return;
      }
      server.join(user);
      hub.loadPending(server);
      if (isNew) server.queue.add(() => fillGapSinceJoin(server, sequence));
    },
    leave(user, serverId) {
      user.changedServers?.add(serverId);
      const server = hub.server(serverId);
      if (server === undefined) return;
      server.queue.add(() => {
        if (user.connections.length > 0) server.leave(user);
      });
      hub.loadPending(server);
    },
  };
}
