import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  addressSetting,
  booleanSetting,
  ConfigError,
  integerSetting,
  loadConfig,
  optionalUrlSetting,
  textSetting,
} from "@parley/service-runtime";
import { z } from "zod";
import { Refusal, reasonOf } from "./refusal.js";

const port = (standard: number, purpose: string) => integerSetting({ purpose, default: standard, min: 1, max: 65_535 });

/** The settings of the local stack, by the names of environment variables. */
export const localStackSettings = z.object({
  HOST: addressSetting({ purpose: "address that edge and services listen on", default: "127.0.0.1" }),
  EDGE_PORT: port(8080, "port of the edge"),
  GATEWAY_PORT_BASE: port(8101, "port of the first gateway; further ones count up"),
  API_PORT_BASE: port(8201, "port of the first api"),
  AUTOMOD_PORT_BASE: port(8301, "port of the first automod"),
  WEBHOOK_DISPATCHER_PORT_BASE: port(8401, "port of the first webhook-dispatcher"),
  DISCORD_PORT_BASE: port(8601, "port of the first process for bots written for Discord"),
  POSTGRES_PORT: port(8501, "port of the PostgreSQL that is started"),
  REDIS_PORT: port(8502, "port of the Redis that is started"),
  NATS_PORT: port(8503, "port of the NATS that is started"),
  DATABASE_URL: optionalUrlSetting({
    purpose: "use this PostgreSQL instead of starting one",
    schemes: ["postgresql", "postgres"],
  }),
  REDIS_URL: optionalUrlSetting({ purpose: "use this Redis instead of starting one", schemes: ["redis", "rediss"] }),
  NATS_URL: optionalUrlSetting({
    purpose: "use this NATS instead of starting one",
    schemes: ["nats", "tls"],
    many: true,
  }),
  PARLEY_DATA_DIR: textSetting({ purpose: "folder of everything that is kept", default: ".data" }),
  EDGE_TRUST_FORWARDED: booleanSetting({
    purpose: "true behind a further proxy: continue its X-Forwarded-For",
    default: false,
  }),
  EDGE_CONNECTIONS_PER_ADDRESS: integerSetting({
    purpose: "connections of one address at an edge that other machines reach directly (HOST, no further proxy)",
    default: 1_000,
    min: 1,
    max: 1_000_000,
  }),
});

/** How many of each service one start may have: as many as there are ports between the bases above. */
const instancesMax = 99;

/** The services, in the order in which they start: their numbers, and the settings of their first ports. */
const services = [
  { name: "api", option: "apis", least: 1, standard: 1, setting: "API_PORT_BASE" },
  { name: "gateway", option: "gateways", least: 1, standard: 2, setting: "GATEWAY_PORT_BASE" },
  { name: "automod", option: "automods", least: 0, standard: 1, setting: "AUTOMOD_PORT_BASE" },
  {
    name: "webhook-dispatcher",
    option: "webhook-dispatchers",
    least: 0,
    standard: 1,
    setting: "WEBHOOK_DISPATCHER_PORT_BASE",
  },
  { name: "discord", option: "discords", least: 0, standard: 1, setting: "DISCORD_PORT_BASE" },
] as const;

/** The settings and options of `npm start`. */
export type StackConfig = ReturnType<typeof loadStackConfig>;

/** Reads environment and command line; throws a Refusal that names the wrong setting or option. */
export function loadStackConfig({ env, args, root }: { env: NodeJS.ProcessEnv; args: string[]; root: string }) {
  const settings = readSettings(env);
  const options = parseOptions(args);
  const { HOST: host, EDGE_TRUST_FORWARDED: trustForwarded } = settings;
  return {
    root,
    settings,
    /** The caller's environment: its settings reach the services. */
    env: isLoopback(host) && !trustForwarded ? { PUBLIC_URL: `http://localhost:${settings.EDGE_PORT}`, ...env } : env,
    dataDir: resolve(root, settings.PARLEY_DATA_DIR),
    /** Null where all clients have the same address: those of this machine, or of a further proxy. */
    connectionsPerAddressMax: isLoopback(host) || trustForwarded ? null : settings.EDGE_CONNECTIONS_PER_ADDRESS,
    /** Fill an empty installation with a small community. */
    demo: options.demo === true,
    services: services.map(({ name, option, least, standard, setting }) => ({
      name,
      setting,
      firstPort: settings[setting],
      count: readCount(option, options[option], least) ?? standard,
    })),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function readSettings(env: NodeJS.ProcessEnv) {
  try {
    return loadConfig(localStackSettings, env);
  } catch (error) {
    throw error instanceof ConfigError ? new Refusal(`${error.message}.`) : error;
  }
}

function readCount(option: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,2}$/.test(value) && Number(value) >= least) return Number(value);
  throw new Refusal(`--${option} wants a whole number from ${least} to ${instancesMax}, not ${JSON.stringify(value)}.`);
}

function parseOptions(args: string[]) {
  const count = { type: "string" } as const;
  const counts = { gateways: count, apis: count, automods: count, "webhook-dispatchers": count, discords: count };
  try {
    const options = { ...counts, demo: { type: "boolean" } } as const;
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const known = Object.keys(counts).map((name) => `--${name} <number>`);
    throw new Refusal(`${reasonOf(error).replace(/\.$/, "")}; known options: ${known.join(", ")}, --demo.`);
  }
}
