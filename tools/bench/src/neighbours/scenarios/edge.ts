import { requestProbe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";

/** One address opens as many connections as it may, and begins a request on each. */
export const edge: Scenario = {
  name: "edge",
  resource: "edge",
  hostile: "1,000 connections with requests that never end",
  async prepare(world) {
    return {
      probe: await requestProbe(world, { url: world.edge.url }),
      loads: () => [{ kind: "unfinished", port: world.edge.port, connections: allowances.connectionsPerAddress }],
    };
  },
};
