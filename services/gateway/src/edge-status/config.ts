import { baseSettings, integerSetting } from "@parley/service-runtime";
import { z } from "zod";

const { NODE_ID, PARLEY_VERSION, LOG_LEVEL, METRICS_PORT, METRICS_HOST, SHUTDOWN_TIMEOUT_MS } = baseSettings({
  port: 0,
});

/** The environment of what counts the answers of the edge. */
export const edgeStatusConfigSchema = z.object({
  ...{ NODE_ID, PARLEY_VERSION, LOG_LEVEL, METRICS_PORT, METRICS_HOST, SHUTDOWN_TIMEOUT_MS },
  EDGE_STATUS_PORT: integerSetting({
    purpose: "UDP port on loopback that the edges beside it send a line of each answer to (EDGE_STATUS_TO)",
    default: 5531,
    min: 1,
    max: 65_535,
  }),
});
