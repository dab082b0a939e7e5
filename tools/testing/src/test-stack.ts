import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  describeExit,
  findFreePort,
  readApplication,
  type ServerProcess,
  type ServiceName,
  type ServiceSurroundings,
  serviceUrl,
  startEdge,
  startService,
} from "@parley/local-stack";
import { bundledService } from "./bundled-service.js";
import { runFolderSetting } from "./causes-files.js";
import { keepOutput } from "./process-output.js";
import { runContext } from "./run-context.js";
import { createTestDatabase } from "./test-database.js";
import { startNats, startRedis } from "./test-servers.js";

/** How many of each service, and the settings that differ from the defaults of tests. */
export interface StackOptions {
  readonly apis?: number;
  readonly gateways?: number;
  readonly automods?: number;
  readonly webhookDispatchers?: number;
  readonly discords?: number;
  readonly env?: Record<string, string>;
  /** Limits and periods of services, as their `run` takes them; by default those of an installation. */
  readonly limits?: ServiceLimits;
  /** A database to use instead of a fresh one of the shared cluster, for tests that stop PostgreSQL. */
  readonly databaseUrl?: string;
  /** Where NATS stores its streams, for tests that fill it. */
  readonly natsDataDir?: string;
}

/** Names and values of the limits that `services/<name>/src/run.ts` takes. */
type ServiceLimits = { readonly [Name in ServiceName]?: Readonly<Record<string, unknown>> };

/** The differences of one process: its way to NATS, settings and limits. */
export interface OwnSettings {
  readonly natsUrl?: string;
  readonly env?: Record<string, string>;
  /** As {@link StackOptions.limits} has them for the service. */
  readonly limits?: Readonly<Record<string, unknown>>;
}

/** The built services as real processes, with a database, Redis, NATS and edge of their own. */
export interface TestStack {
  /** http://127.0.0.1:<port>: `/ws` goes to the gateways, the root and `/app/` to the web application, the rest to the apis. */
  readonly edgeUrl: string;
  readonly apis: readonly ServerProcess[];
  readonly gateways: readonly ServerProcess[];
  readonly automods: readonly ServerProcess[];
  readonly webhookDispatchers: readonly ServerProcess[];
  readonly discords: readonly ServerProcess[];
  readonly redis: ServerProcess;
  readonly nats: ServerProcess;
  readonly databaseUrl: string;
  readonly jwtSecret: string;
  /** Where the apis keep files. */
  readonly uploadDir: string;
  /** The output of the services, each line with its process; the newest 5,000 lines. */
  readonly output: () => readonly string[];
  /** Start one more, on a port of its own; the edge uses it at once. */
  readonly startApi: (own?: OwnSettings) => Promise<ServerProcess>;
  readonly startGateway: (own?: OwnSettings) => Promise<ServerProcess>;
  readonly startAutomod: (own?: OwnSettings) => Promise<ServerProcess>;
  readonly startWebhookDispatcher: (own?: OwnSettings) => Promise<ServerProcess>;
  readonly startDiscord: (own?: OwnSettings) => Promise<ServerProcess>;
  /** Ends one of them for good: the edge does not look for it any more. */
  readonly dismiss: (service: ServerProcess) => Promise<void>;
  /** Stops everything and removes the database. */
  readonly stop: () => Promise<void>;
}

/** Limits that no ordinary test reaches, however slow the machine is; a test of limits sets its own. */
const unlimited = {
  AUTOMOD_TIMEOUT_MS: "5000",
  RATE_LIMIT_REST_RPS: "100000",
  RATE_LIMIT_REST_BURST: "100000",
  RATE_LIMIT_AUTH_RPS: "100000",
  RATE_LIMIT_AUTH_BURST: "100000",
  RATE_LIMIT_BOT_RPS: "100000",
  RATE_LIMIT_BOT_ADDRESS_RPS: "100000",
};

/**
 * Tests make thousands of accounts, whose passwords would cost a quarter of their processor time. Their stacks are idle most
 * of the time, and would look for work 36 times a second.
 */
const limitsOfTests: ServiceLimits = {
  api: {
    passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
    jobsIntervalMs: 500,
    relayIntervalMs: 2_000,
  },
  gateway: { relayIntervalMs: 2_000 },
  automod: { relayIntervalMs: 2_000 },
  "webhook-dispatcher": { pushIntervalMs: 1_000 },
};

/**
 * Starts a stack and resolves when every service is ready; call `stop` in `afterAll`. Defaults: one api, two gateways.
 * Whatever fails to start takes the rest down with it.
 */
export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await buildStack(options, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function buildStack(options: StackOptions, undo: (() => Promise<unknown>)[]): Promise<Omit<TestStack, "stop">> {
  const output = keepOutput();
  undo.push(async () => output.discard());
  const database = options.databaseUrl === undefined ? await createTestDatabase() : null;
  if (database !== null) undo.push(() => database.drop());
  const redis = await startRedis();
  undo.push(() => redis.kill());
  const nats = await startNats(options.natsDataDir);
  undo.push(() => nats.kill());

  const { root, folder } = runContext();
  const watchCauses = pathToFileURL(join(root, "tools", "testing", "dist", "watch-causes.js")).href;
  const uploadDir = join(folder, `uploads-${randomBytes(6).toString("hex")}`);
  await mkdir(uploadDir);
  const surroundings: ServiceSurroundings = {
    root,
    host: "127.0.0.1",
    // As in an installation, services may read and write rows and nothing else.
    databaseUrl: database === null ? (options.databaseUrl ?? "") : serviceUrl(database.url),
    redisUrl: redis.url,
    natsUrl: nats.url,
    jwtSecret: randomBytes(32).toString("hex"),
    uploadDir,
    // Nothing else of the caller's environment: a developer's settings must not change the results of tests.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_OPTIONS: `--import=${watchCauses}`,
      [runFolderSetting]: folder,
      ...unlimited,
      ...options.env,
    },
  };

  const groups: Record<ServiceName, ServerProcess[]> = {
    api: [],
    gateway: [],
    automod: [],
    "webhook-dispatcher": [],
    discord: [],
  };
  const numbers: Record<ServiceName, number> = { api: 0, gateway: 0, automod: 0, "webhook-dispatcher": 0, discord: 0 };
  const urlsOf = (name: ServiceName) => groups[name].map(({ url }) => url);
  const start = async (name: ServiceName, own: OwnSettings = {}) => {
    const { natsUrl = nats.url, env = {} } = own;
    const limits = { ...limitsOfTests[name], ...(own.limits ?? options.limits?.[name]) };
    numbers[name] += 1;
    const number = numbers[name];
    const onLine = output.lineOf(`${name}-${number}`);
    const program = await programOf(root, name, limits);
    const service = await startService(
      {
        ...surroundings,
        natsUrl,
        ...(name === "discord" ? { apiUrls: urlsOf("api"), gatewayUrls: urlsOf("gateway") } : {}),
        env: { ...surroundings.env, ...env },
      },
      { name, number, port: await findFreePort(), program, onLine },
    );
    // Nothing of it is used afterwards: it need not close its connections first.
    undo.push(() => service.kill());
    reportCrash(service);
    return service;
  };
  const several = async (name: ServiceName, count: number) => {
    const starts = await Promise.allSettled(Array.from({ length: count }, () => start(name)));
    for (const outcome of starts) {
      if (outcome.status === "rejected") throw outcome.reason;
      groups[name].push(outcome.value);
    }
  };
  const outcomes = await Promise.allSettled([
    several("api", options.apis ?? 1),
    several("gateway", options.gateways ?? 2),
    several("automod", options.automods ?? 0),
    several("webhook-dispatcher", options.webhookDispatchers ?? 0),
  ]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  await several("discord", options.discords ?? 0);
  const starter = (name: ServiceName) => async (own?: OwnSettings) => {
    const service = await start(name, own);
    groups[name].push(service);
    return service;
  };
  const dismiss = async (service: ServerProcess) => {
    for (const group of Object.values(groups)) {
      if (group.includes(service)) group.splice(group.indexOf(service), 1);
    }
    await service.kill();
  };

  const edge = await startEdge({
    hosts: ["127.0.0.1"],
    port: await findFreePort(),
    apis: () => urlsOf("api"),
    gateways: () => urlsOf("gateway"),
    discords: () => urlsOf("discord"),
    application: await readApplication(root),
  });
  undo.push(() => edge.close());
  return {
    edgeUrl: `http://127.0.0.1:${edge.port}`,
    apis: groups.api,
    gateways: groups.gateway,
    automods: groups.automod,
    webhookDispatchers: groups["webhook-dispatcher"],
    discords: groups.discord,
    redis,
    nats,
    databaseUrl: database?.url ?? surroundings.databaseUrl,
    jwtSecret: surroundings.jwtSecret,
    uploadDir: options.env?.UPLOAD_DIR ?? uploadDir,
    output: output.lines,
    startApi: starter("api"),
    startGateway: starter("gateway"),
    startAutomod: starter("automod"),
    startWebhookDispatcher: starter("webhook-dispatcher"),
    startDiscord: starter("discord"),
    dismiss,
  };
}

/** The program that runs a service, and its arguments. */
async function programOf(root: string, name: ServiceName, limits: object): Promise<[string, ...string[]]> {
  const bundle = await bundledService(root, name);
  if (Object.keys(limits).length === 0) return [join(bundle, "main.mjs")];
  const withLimits = join(root, "tools", "testing", "dist", "service-with-limits.js");
  return [withLimits, join(bundle, "run.mjs"), JSON.stringify(limits)];
}

/** A service that ends by itself with an error is shown at once: whatever the test waits for will not come. */
function reportCrash(service: ServerProcess): void {
  void service.exited().then((exit) => {
    if (exit.signal !== null || exit.code === 0) return;
    const said = service.lastLines().join("\n  ");
    process.stderr.write(`${service.name} ended with ${describeExit(exit)}; its last words were:\n  ${said}\n`);
  });
}
