import { baseSettings, integerSetting } from "@parley/service-runtime";
import { z } from "zod";

/** The automod service's environment: every setting, its default and its purpose. */
export const configSchema = z.object({
  ...baseSettings({ port: 8301 }),
  DATABASE_POOL_MAX: integerSetting({
    purpose: "Most database connections of this process",
    default: 10,
    min: 2,
    max: 1_000,
  }),
});
