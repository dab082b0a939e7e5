import { trustProxySetting } from "@parley/auth";
import { eventStreamSettings } from "@parley/messaging";
import {
  baseSettings,
  booleanSetting,
  integerSetting,
  optionalTextSetting,
  textSetting,
} from "@parley/service-runtime";
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
  TRUST_PROXY: trustProxySetting(),
  GATEWAY_COMPRESSION: booleanSetting({
    purpose: "Whether clients that offer permessage-deflate get events compressed",
    default: true,
  }),
  ...eventStreamSettings,
});
export type Config = z.infer<typeof configSchema>;
