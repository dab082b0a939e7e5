import { caps } from "@parley/contracts";
import { createRoom } from "../../world.js";
import { answered } from "../load.js";
import { requestProbe } from "../probe.js";
import type { Bound, Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertBots } from "../world.js";

/** Twice what an address may; buckets hold one second's worth at the beginning. */
const offeredPerSecond = 2 * allowances.botsPerSecond;

/** As many bots as an account may have ask together, all behind one address. */
export const bots: Scenario = {
  name: "bots",
  resource: "rate limits",
  hostile: "25 bots behind one address, 400/s together",
  phaseMsMin: 4_000,
  async prepare(world) {
    const room = await createRoom(world.pool, 1);
    const requests = (await insertBots(world, room, caps.bots.max)).map(({ headers }) => ({
      method: "GET",
      url: `${world.api.url}/users/@me`,
      headers,
    }));
    return {
      probe: await requestProbe(world),
      loads: () => [{ kind: "requests", requests, perSecond: offeredPerSecond, inFlightMax: 100 }],
      bounds: (reports): Bound[] => {
        const accepted = reports.reduce((sum, report) => sum + answered(report, 200), 0);
        const max = reports.reduce((sum, { seconds }) => sum + (seconds + 1) * allowances.botsPerSecond, 0);
        return [{ what: "requests of the bots accepted", counted: accepted, max: Math.ceil(max) }];
      },
    };
  },
};
