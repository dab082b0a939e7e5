import { isNetwork } from "@parley/egress";
import { baseSettings, booleanSetting, integerSetting, listSetting, textSetting } from "@parley/service-runtime";
import { z } from "zod";

/** The dispatcher's environment: every setting, its default and its purpose. */
export const configSchema = z.object({
  ...baseSettings({ port: 8401 }),
  DATABASE_POOL_MAX: integerSetting({
    purpose: "Most database connections of this process",
    default: 5,
    min: 1,
    max: 1_000_000,
  }),
  WEBHOOK_ALLOW_PRIVATE: booleanSetting({
    purpose: "Deliver to loopback and private addresses, and to bots by plain HTTP, too; for development only",
    default: false,
  }),
  WEBHOOK_ALLOWED_NETWORKS: listSetting({
    purpose: "Non-public networks that webhooks may reach all the same, comma list of CIDRs",
    isEntry: isNetwork,
    entries: "CIDRs such as 10.1.0.0/16",
  }),
  PUSH_CONTACT: textSetting({
    purpose: "How push services reach the operator: mailto: and an address, or an https URL. Some refuse the default",
    default: "mailto:postmaster@localhost",
  }).refine((text) => /^(mailto:.+@.+|https:\/\/.+)$/.test(text), "must be mailto: and an address, or an https URL"),
});
export type Config = z.infer<typeof configSchema>;
