import { baseSettings, integerSetting, optionalTextSetting, textSetting } from "@parley/service-runtime";
import { z } from "zod";

/** The gateway's environment: every setting, its default and its purpose. */
export const configSchema = z.object({
  ...baseSettings({ port: 8101 }),
  JWT_SECRET: textSetting({ purpose: "Signs access tokens; at least 32 characters", lengthMin: 32 }),
  JWT_SECRET_PREVIOUS: optionalTextSetting({
    purpose: "Former JWT_SECRET, still accepted while a rotation is under way",
    lengthMin: 32,
  }),
  DATABASE_POOL_MAX: integerSetting({
    purpose: "Most database connections of this process",
    default: 10,
    min: 2,
    max: 1_000_000,
  }),
  DRAIN_SECONDS: integerSetting({
    purpose: "Seconds over which a stopping gateway closes its connections",
    default: 0,
    min: 0,
    max: 3_600,
  }),
  RESUME_GRACE_SECONDS: integerSetting({
    purpose:
      "Seconds for which a lost connection that may be continued keeps its user's presence and voice; 0 for none",
    default: 15,
    min: 0,
    max: 3_600,
  }),
  EVENTS_MAX_AGE_MS: integerSetting({
    purpose: "How long events can be read again after an interruption, in milliseconds",
    default: 900_000,
    min: 1,
    max: 1_000_000_000,
  }),
  EVENTS_MAX_BYTES: integerSetting({
    purpose: "Most bytes that the stream of events keeps",
    default: 1024 ** 3,
    min: 1024 ** 2,
    max: 2 ** 50,
  }),
  STREAM_REPLICAS: integerSetting({ purpose: "Copies of each NATS stream", default: 1, min: 1, max: 5 }),
});
export type Config = z.infer<typeof configSchema>;
