import { createRoom } from "../../world.js";
import { requestProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { hostileAddress } from "../world.js";

/** A member of a large community lists all members; the accounts of 50,000 members are as many calls. */
export const memberLists: Scenario = {
  name: "member-lists",
  resource: "event loop of an api",
  hostile: "the whole member list 10/s",
  async prepare(world, sizes) {
    const room = await createRoom(world.pool, sizes.members);
    const headers = world.account(room.userIds[0] ?? "", hostileAddress);
    const requests = [{ method: "GET", url: `${world.api.url}/servers/${room.serverId}/members`, headers }];
    return {
      probe: await requestProbe(world),
      loads: () => [{ kind: "requests", requests, perSecond: allowances.restPerSecond, inFlightMax: 20 }],
    };
  },
};
