import { baseSettings, integerSetting, loadConfigOrExit, optionalTextSetting, textSetting } from "@parley/service-runtime";
import { z } from "zod";

/** Every setting of the gateway. */
export const gatewaySettings = z.object({
  ...baseSettings({ port: 8101 }),
  JWT_SECRET: textSetting({ purpose: "Signs access tokens; the same for api and gateway", lengthMin: 32 }),
  JWT_SECRET_PREVIOUS: optionalTextSetting({ purpose: "Still accepted while JWT_SECRET changes", lengthMin: 32 }),
  DATABASE_POOL_MAX: integerSetting({ purpose: "Connections to PostgreSQL", default: 10, min: 2, max: 1_000 }),
  DRAIN_SECONDS: integerSetting({
    purpose: "Seconds over which the connections are closed when the process stops",
    default: 0,
    min: 0,
    max: 3_600,
  }),
  EVENTS_MAX_AGE_SECONDS: integerSetting({
    purpose: "How long an event can be read again to fill a gap",
    default: 900,
    min: 60,
    max: 86_400,
  }),
  EVENTS_MAX_MEGABYTES: integerSetting({
    purpose: "Most megabytes that the stream of events may hold",
    default: 1_024,
    min: 16,
    max: 1_048_576,
  }),
  NATS_REPLICAS: integerSetting({ purpose: "Copies of each stream in the NATS cluster", default: 1, min: 1, max: 5 }),
});
export type GatewayConfig = z.output<typeof gatewaySettings>;

export const loadGatewayConfig = (): GatewayConfig => loadConfigOrExit(gatewaySettings, process.env);
