import { presenceSubscriptionsMax } from "@parley/contracts";
import { createRoom } from "../../world.js";
import { heartbeatProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";

const sockets = 45;
/** One less than a connection may send, so that nothing is dropped. */
const perSecond = 19;

/** Connections of one account name other strangers all the time, as many at once as an op may. */
export const presenceSubscribes: Scenario = {
  name: "presence-subscribes",
  resource: "event loop of a gateway",
  hostile: "45 sockets of one account name 400 strangers 19 times a second",
  async prepare(world) {
    const [{ userIds }, strangers] = [
      await createRoom(world.pool, 1),
      await createRoom(world.pool, 2 * presenceSubscriptionsMax),
    ];
    const texts = [0, presenceSubscriptionsMax].map((from) =>
      JSON.stringify({
        op: "PRESENCE_SUBSCRIBE",
        d: { user_ids: strangers.userIds.slice(from, from + presenceSubscriptionsMax) },
      }),
    );
    const path = `${world.socketPath(userIds[0] ?? "")}&presence=subscribed`;
    const paths = Array.from({ length: sockets }, () => path);
    return {
      probe: await heartbeatProbe(world),
      loads: () => [{ kind: "sockets", port: world.gateway.port, paths, texts, perSecond }],
    };
  },
};
