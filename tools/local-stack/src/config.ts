import { isAbsolute, join } from "node:path";
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
import type { ServiceName } from "./service.js";

const port = (standard: number, purpose: string) => integerSetting({ purpose, default: standard, min: 1, max: 65_535 });

/** The settings of the local stack, by the names of environment variables. */
export const localStackSettings = z.object({
  HOST: addressSetting({ purpose: "address that edge and services listen on", default: "127.0.0.1" }),
  EDGE_PORT: port(8080, "port of the edge"),
  GATEWAY_PORT_BASE: port(8101, "port of the first gateway; further ones count up"),
  API_PORT_BASE: port(8201, "port of the first api"),
  AUTOMOD_PORT_BASE: port(8301, "port of the first automod"),
  WEBHOOK_DISPATCHER_PORT_BASE: port(8401, "port of the first webhook-dispatcher"),
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

/** How many of each service one start may ask for: as many as there are ports between the bases above. */
const instancesMax = 99;

/** What `npm start` was asked for. */
export interface StackConfig {
  readonly root: string;
  readonly dataDir: string;
  readonly host: string;
  readonly edgePort: number;
  readonly trustForwarded: boolean;
  /** Null where all clients have the same address: those of this machine, or of a further proxy. */
  readonly connectionsPerAddressMax: number | null;
  /** Fill an empty installation with a small community. */
  readonly demo: boolean;
  readonly services: Record<
    ServiceName,
    { readonly count: number; readonly firstPort: number; readonly setting: string }
  >;
  readonly servers: { readonly postgresPort: number; readonly redisPort: number; readonly natsPort: number };
  /** Addresses of servers that run already; null for one that the local stack starts. */
  readonly external: {
    readonly databaseUrl: string | null;
    readonly redisUrl: string | null;
    readonly natsUrl: string | null;
  };
  /** The caller's environment: its settings reach the services. */
  readonly env: NodeJS.ProcessEnv;
}

/** Reads environment and command line; throws a Refusal that names the wrong setting or option. */
export function loadStackConfig(given: { env: NodeJS.ProcessEnv; args: string[]; root: string }): StackConfig {
  const settings = readSettings(given.env);
  const options = parseOptions(given.args);
  const counts = readCounts(options);
  const { PARLEY_DATA_DIR: dataDir } = settings;
  return {
    root: given.root,
    dataDir: isAbsolute(dataDir) ? dataDir : join(given.root, dataDir),
    host: settings.HOST,
    edgePort: settings.EDGE_PORT,
    trustForwarded: settings.EDGE_TRUST_FORWARDED,
    connectionsPerAddressMax:
      isLoopback(settings.HOST) || settings.EDGE_TRUST_FORWARDED ? null : settings.EDGE_CONNECTIONS_PER_ADDRESS,
    demo: options.demo === true,
    services: {
      api: { count: counts.apis, firstPort: settings.API_PORT_BASE, setting: "API_PORT_BASE" },
      gateway: { count: counts.gateways, firstPort: settings.GATEWAY_PORT_BASE, setting: "GATEWAY_PORT_BASE" },
      automod: { count: counts.automods, firstPort: settings.AUTOMOD_PORT_BASE, setting: "AUTOMOD_PORT_BASE" },
      "webhook-dispatcher": {
        count: counts["webhook-dispatchers"],
        firstPort: settings.WEBHOOK_DISPATCHER_PORT_BASE,
        setting: "WEBHOOK_DISPATCHER_PORT_BASE",
      },
    },
    servers: {
      postgresPort: settings.POSTGRES_PORT,
      redisPort: settings.REDIS_PORT,
      natsPort: settings.NATS_PORT,
    },
    external: {
      databaseUrl: settings.DATABASE_URL ?? null,
      redisUrl: settings.REDIS_URL ?? null,
      natsUrl: settings.NATS_URL ?? null,
    },
    env: given.env,
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

const counted = ["gateways", "apis", "automods", "webhook-dispatchers"] as const;
const standardCounts = { gateways: 2, apis: 1, automods: 1, "webhook-dispatchers": 1 } as const;

type Options = ReturnType<typeof parseOptions>;

function readCounts(values: Options): Record<(typeof counted)[number], number> {
  const counts: Record<(typeof counted)[number], number> = { ...standardCounts };
  for (const name of counted) {
    const value = values[name];
    if (value === undefined) continue;
    const least = name === "apis" || name === "gateways" ? 1 : 0;
    if (!/^\d{1,2}$/.test(value) || Number(value) < least) {
      throw new Refusal(
        `--${name} wants a whole number from ${least} to ${instancesMax}, not ${JSON.stringify(value)}.`,
      );
    }
    counts[name] = Number(value);
  }
  return counts;
}

function parseOptions(args: string[]) {
  const count = { type: "string" } as const;
  const counts = { gateways: count, apis: count, automods: count, "webhook-dispatchers": count };
  try {
    const options = { ...counts, demo: { type: "boolean" } } as const;
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const known = counted.map((name) => `--${name} <number>`).join(", ");
    throw new Refusal(`${reasonOf(error).replace(/\.$/, "")}; known options: ${known}, --demo.`);
  }
}
