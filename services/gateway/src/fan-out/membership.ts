import { subjects } from "@parley/contracts";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import { arrivalOf } from "../stream/arrival.js";
import type { FillGap } from "../stream/gap.js";
import type { Interests } from "../stream/interest.js";
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
  interests: Interests;
  fillGap: FillGap;
  passServerEvent: PassServerEvent;
}): Memberships {
  const { hub, interests, fillGap, passServerEvent } = options;

  /** The server's events between the joining and the moment in which the subscription was in force. */
  async function catchUp(server: ServerEntry, sequence: number): Promise<void> {
    await interests.inForce();
    server.subscribed();
    const gap = { filter: subjects.storedServer(server.id), from: sequence + 1, known: null };
    await fillGap(gap, (event) => passServerEvent(server, arrivalOf(event, true)));
  }

  return {
    join(user, serverId, sequence) {
      if (user.connections.length === 0) return;
      user.changedServers?.add(serverId);
      const { server, isNew } = hub.enter(serverId, sequence);
      if (!server.has(user) && server.interest.position.highest > sequence) {
        // The join itself was read again, after the others here had got what followed it.
        hub.resynchronise([user], "a join was heard after events that followed it");
        return;
      }
      server.join(user);
      hub.settle(server);
      if (isNew) server.lane.add(() => catchUp(server, sequence));
    },
    leave(user, serverId) {
      user.changedServers?.add(serverId);
      const server = hub.server(serverId);
      if (server === undefined) return;
      server.lane.add(() => {
        if (user.connections.length > 0) server.leave(user);
      });
      hub.settle(server);
    },
  };
}
