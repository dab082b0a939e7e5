import { trustProxySetting } from "@parley/auth";
import {
  baseSettings,
  integerSetting,
  optionalTextSetting,
  optionalUrlSetting,
  textSetting,
  urlSetting,
} from "@parley/service-runtime";
import { z } from "zod";

/** The discord service's environment: every setting, its default and its purpose. */
export const configSchema = z.object({
  ...baseSettings({ port: 8601 }),
  JWT_SECRET: textSetting({ purpose: "Signs access tokens; at least 32 characters", lengthMin: 32 }),
  JWT_SECRET_PREVIOUS: optionalTextSetting({
    purpose: "Former JWT_SECRET, still accepted while a rotation is under way",
    lengthMin: 32,
  }),
  FILE_URL_SECRET: optionalTextSetting({
    purpose: "Signs addresses of files, as at the apis; derived from JWT_SECRET when absent",
    lengthMin: 32,
  }),
  DATABASE_POOL_MAX: integerSetting({
    purpose: "Most database connections of this process",
    default: 10,
    min: 2,
    max: 1_000,
  }),
  API_URL: urlSetting({
    purpose: "Addresses of the apis, as a comma list; one name may stand for several",
    schemes: ["http", "https"],
    many: true,
    default: "http://127.0.0.1:8201",
  }),
  GATEWAY_URL: urlSetting({
    purpose: "Addresses of the gateways, as a comma list; one name may stand for several",
    schemes: ["http", "https"],
    many: true,
    default: "http://127.0.0.1:8101",
  }),
  RATE_LIMIT_BOT_RPS: integerSetting({
    purpose: "Requests per second and at once per bot",
    default: 50,
    min: 1,
    max: 1_000_000,
  }),
  TRUST_PROXY: trustProxySetting(),
  PUBLIC_URL: optionalUrlSetting({
    purpose: "Address at which clients reach the installation; without it, that of each request",
    schemes: ["http", "https"],
  }),
});
export type Config = z.output<typeof configSchema>;
