import { subjects } from "@parley/contracts";
import { arrivalOf } from "./arrival.js";
import type { FillGap } from "./gap.js";
import type { Hub } from "./hub.js";
import type { Interests } from "./interest.js";
import type { GatewayMetrics } from "./metrics.js";
import type { ServerEntry } from "./server-entry.js";
import type { PassServerEvent } from "./server-events.js";
import type { UserEntry } from "./user-entry.js";

/** Local users who join and leave servers while connected. Both wait for the events of the server that came before. */
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
  metrics: GatewayMetrics;
}): Memberships {
  const { hub, interests, fillGap, passServerEvent, metrics } = options;

  /** An event may be late and the user back already, so the database has the last word. */
  async function settle(server: ServerEntry, user: UserEntry): Promise<void> {
    if (user.connections.length > 0) {
      server.doubt(user);
      metrics.permissionReloads += 1;
      await server.learn(null);
    }
    hub.endIfDeserted(server);
  }

  /** The server's events between the joining and the moment in which the subscription was in force. */
  async function catchUp(server: ServerEntry, sequence: number): Promise<void> {
    await interests.inForce();
    server.subscribed();
    const gap = { filter: subjects.storedServer(server.id), from: sequence + 1, known: null };
    await fillGap(gap, (event) => passServerEvent(server, arrivalOf(event, true)));
  }

  return {
    join(user, serverId, sequence) {
      const { server, isNew } = hub.enter(serverId, sequence);
      server.lane.add(() => settle(server, user));
      if (isNew) server.lane.add(() => catchUp(server, sequence));
    },
    leave(user, serverId) {
      const server = hub.server(serverId);
      server?.lane.add(() => settle(server, user));
    },
  };
}
