import { clientMessagesPerSecondMax } from "@parley/contracts";
import { createRoom } from "../../world.js";
import { heartbeatProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";

const listeners = 200;
const typists = 48;

/** One member types on nearly as many connections as a user may have, before 200 members who are connected. */
export const typing: Scenario = {
  name: "typing",
  resource: "event loop of a gateway",
  hostile: "48 sockets type at 12/s each, 200 members listen",
  async prepare(world) {
    const room = await createRoom(world.pool, listeners);
    const pathOf = (index: number) => world.socketPath(room.userIds[index] ?? "");
    const sockets = { kind: "sockets", port: world.gateway.port } as const;
    const text = JSON.stringify({ op: "TYPING_START", d: { channel_id: room.channelId } });
    return {
      probe: await heartbeatProbe(world),
      loads: () => [
        { ...sockets, paths: room.userIds.map((_, index) => pathOf(index)), texts: [], perSecond: 0 },
        {
          ...sockets,
          paths: Array.from({ length: typists }, () => pathOf(0)),
          texts: [text],
          perSecond: (clientMessagesPerSecondMax * 3) / 5,
        },
      ],
    };
  },
};
