import { randomBytes } from "node:crypto";
import { requestProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { hostileAddress } from "../world.js";

/** One address presents bot tokens that nobody has, each a different one, far over its rate. */
export const invalidTokens: Scenario = {
  name: "invalid-tokens",
  resource: "rate limits",
  hostile: "250/s with invalid bot tokens from one address",
  async prepare(world) {
    const requests = Array.from({ length: 1_000 }, () => ({
      method: "GET",
      url: `${world.api.url}/users/@me`,
      headers: { authorization: `Bot ${randomBytes(32).toString("hex")}`, "x-forwarded-for": hostileAddress },
    }));
    return {
      probe: await requestProbe(world),
      loads: () => [{ kind: "requests", requests, perSecond: 250, inFlightMax: 100 }],
    };
  },
};
