import { integerSetting } from "@parley/service-runtime";
import { monitorSettings } from "../start-monitor.js";

/** The environment of edge status, which counts the answers of the edge. */
export const edgeStatusConfigSchema = monitorSettings.extend({
  EDGE_STATUS_PORT: integerSetting({
    purpose: "UDP port on loopback that the edges beside it send a line of each answer to (EDGE_STATUS_TO)",
    default: 5531,
    min: 1,
    max: 65_535,
  }),
});
