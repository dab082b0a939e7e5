import { createRoom, type Room } from "../../world.js";
import { answered } from "../load.js";
import { messageProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { hostileAddress, insertMessages } from "../world.js";

/** The owner deletes a channel with all its messages, one channel a round. */
export const channelDeletion: Scenario = {
  name: "channel-deletion",
  resource: "database",
  hostile: "DELETE of a channel with all its messages",
  async prepare(world, sizes) {
    const rooms: Room[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      const room = await createRoom(world.pool, 1);
      await insertMessages(world, room, sizes.messages);
      rooms.push(room);
    }
    return {
      probe: await messageProbe(world),
      loads: (round) => {
        const room = rooms[round];
        const headers = world.account(room?.userIds[0] ?? "", hostileAddress);
        const requests = [{ method: "DELETE", url: `${world.api.url}/channels/${room?.channelId}`, headers }];
        return [{ kind: "requests", requests, perSecond: 1, inFlightMax: 1, once: true }];
      },
      bounds: (reports) => {
        const refused = reports.filter((report) => answered(report, 503) > 0).length;
        return [{ what: "deletions that failed", counted: refused, max: 0 }];
      },
    };
  },
};
