import { createRoom } from "../../world.js";
import { requestProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { hostileAddress, insertDirectChannels, insertFatAccounts } from "../world.js";

/** An account with thousands of DM channels lists them. By REST: one call for each DM channel. */
export const directChannelLists: Scenario = {
  name: "direct-channel-lists",
  resource: "event loop of an api",
  hostile: "GET /dm-channels 10/s, thousands of them with fat profiles",
  async prepare(world, sizes) {
    const { userIds } = await createRoom(world.pool, 1);
    const [userId = ""] = userIds;
    await insertDirectChannels(world, userId, await insertFatAccounts(world, sizes.directChannels));
    const headers = world.account(userId, hostileAddress);
    const requests = [{ method: "GET", url: `${world.api.url}/dm-channels`, headers }];
    return {
      probe: await requestProbe(world),
      loads: () => [{ kind: "requests", requests, perSecond: allowances.restPerSecond, inFlightMax: 20 }],
    };
  },
};
