import { integerSetting, textSetting, urlSetting } from "@parley/service-runtime";
import { monitorSettings } from "../start-monitor.js";

/** The environment of the probe. */
export const probeConfigSchema = monitorSettings.extend({
  PROBE_URL: urlSetting({
    purpose: "Where the probe posts and listens: the address of an edge",
    schemes: ["http", "https"],
    default: "http://edge:8080",
  }),
  PROBE_TOKEN: textSetting({ purpose: "Token of the bot that the probe posts as" }),
  PROBE_CHANNEL_ID: textSetting({ purpose: "Id of the channel that the probe posts in, which it has for itself" }),
  PROBE_INTERVAL_MS: integerSetting({
    purpose: "Time between two posts of the probe in milliseconds",
    default: 15_000,
    min: 100,
    max: 3_600_000,
  }),
  PROBE_TIMEOUT_MS: integerSetting({
    purpose: "Time after which a message of the probe that has not come back counts as failed, in milliseconds",
    default: 10_000,
    min: 100,
    max: 600_000,
  }),
});
