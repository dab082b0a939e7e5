import { createRoom } from "../../world.js";
import { requestProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { hostileAddress, insertMessages } from "../world.js";

/** One address searches for a word that all messages have. By REST 300,000 messages are 10 minutes of ten bots. */
export const search: Scenario = {
  name: "search",
  resource: "database pool",
  hostile: "search 10/s for a word in all messages",
  async prepare(world, sizes) {
    const room = await createRoom(world.pool, 1);
    await insertMessages(world, room, sizes.messages);
    const headers = world.account(room.userIds[0] ?? "", hostileAddress);
    const requests = [
      { method: "GET", url: `${world.api.url}/servers/${room.serverId}/search?q=needle&limit=100`, headers },
    ];
    return {
      probe: await requestProbe(world, { path: "/servers" }),
      loads: () => [{ kind: "requests", requests, perSecond: allowances.restPerSecond, inFlightMax: 50 }],
    };
  },
};
