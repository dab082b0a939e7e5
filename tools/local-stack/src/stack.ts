import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { grantServiceRole, migrate, type ServiceRole } from "@parley/database";
import type { StackConfig } from "./config.js";
import type { Console } from "./console.js";
import { type DataFolder, openSecrets, placePostgres } from "./data-folder.js";
import { readApplication } from "./edge/application.js";
import { type Edge, startEdge } from "./edge/edge.js";
import { portRefusal, type WantedPort } from "./ports.js";
import { Refusal, reasonOf, systemErrorCode } from "./refusal.js";
import type { ServerProcess } from "./server-process.js";
import { startNatsServer } from "./servers/nats.js";
import { startPostgresServer } from "./servers/postgres.js";
import { startRedisServer } from "./servers/redis.js";
import { serviceRoleName, serviceUrl } from "./servers/service-role.js";
import { installMissingPrograms } from "./servers/system-programs.js";
import { type ServiceSurroundings, startService } from "./service.js";
import { supervise } from "./supervise.js";

/** One line of the table of addresses. */
interface AddressRow {
  readonly name: string;
  readonly address: string;
}

/** A local stack that is up. */
export interface LocalStack {
  readonly rows: readonly AddressRow[];
  /** The results of `--demo`; empty without it. */
  readonly notes: readonly string[];
  /** Stops in order: no new callers, services, edge, servers. */
  readonly stop: () => Promise<void>;
}

interface Start {
  readonly config: StackConfig;
  readonly folder: DataFolder;
  readonly console: Console;
  /** Ends the start; whatever runs by then is stopped. */
  readonly abort: AbortSignal;
}

/**
 * The limits of docs/protocol/limits.md#1.6 are below the number of a browser's requests when it opens a channel: about
 * 100.
 */
const browserLimits = { RATE_LIMIT_REST_RPS: "50", RATE_LIMIT_REST_BURST: "200" };

type Undo = (() => Promise<unknown>)[];

/**
 * Starts servers, migrates, starts services and, once all are ready, the edge. Throws a Refusal when something does not
 * start or `abort` fires; nothing is left running then.
 */
export async function startLocalStack(start: Start): Promise<LocalStack> {
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await bringUp(start, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp(start: Start, undo: Undo): Promise<Omit<LocalStack, "stop">> {
  const { config, folder } = start;
  const startedAt = new Date();
  const secrets = await openSecrets(config.dataDir);
  const servers = await startServers(start, secrets.postgresPassword, undo);
  await bringSchemaUpToDate(servers, config.root);
  requireNotAborted(start.abort);

  let edge: Edge | undefined;
  // After the services: their sockets are to be closed by them, through the edge.
  undo.push(async () => edge?.close());
  const surroundings = {
    root: config.root,
    host: config.settings.HOST,
    ...servers,
    jwtSecret: secrets.jwtSecret,
    apiUrls: urlsOfService(config, "api"),
    gatewayUrls: urlsOfService(config, "gateway"),
  };
  // The time of this start, also for processes that are started again later: only an operator's start grants by
  // PARLEY_ADMINS.
  const env = { ...browserLimits, ...config.env, OPERATOR_STARTED_AT: startedAt.toISOString() };
  const services = await startServices(start, { ...surroundings, uploadDir: folder.uploads, env }, undo);
  requireNotAborted(start.abort);

  edge = await openEdge(config, services);
  undo.push(async () => edge?.stopListening());
  const rows = [
    { name: "PostgreSQL", address: withoutPassword(servers.databaseUrl) },
    { name: "Redis", address: withoutPassword(servers.redisUrl) },
    { name: "NATS", address: withoutPassword(servers.natsUrl) },
    ...services.map(({ name, url }) => ({ name, address: url })),
    { name: "Parley", address: edge.url },
  ];
  const [api] = services;
  const notes = config.demo && api !== undefined ? await openDemo(api.url, servers.databaseUrl, secrets.jwtSecret) : [];
  return { rows, notes };
}

async function openDemo(apiUrl: string, databaseUrl: string, secret: string): Promise<string[]> {
  // Loaded for the demo only: Prisma stays in memory.
  const { fillWithDemo } = await import("./demo/demo.js");
  try {
    return await fillWithDemo({ apiUrl, databaseUrl, secret });
  } catch (error) {
    throw new Refusal(`The demo could not be made: ${reasonOf(error)}`);
  }
}

async function bringSchemaUpToDate({ ownerUrl: databaseUrl, serviceRole }: Servers, root: string): Promise<void> {
  try {
    await migrate({ databaseUrl, migrationsDir: join(root, "prisma", "migrations") });
    if (serviceRole !== undefined) await grantServiceRole({ databaseUrl, role: serviceRole });
  } catch (error) {
    throw new Refusal(`The database at ${withoutPassword(databaseUrl)} could not be migrated: ${reasonOf(error)}`);
  }
}

/** The ports that this start will listen on. */
export function wantedPorts({ config }: { config: StackConfig }): WantedPort[] {
  const { settings } = config;
  const servers = [
    { url: settings.DATABASE_URL, port: settings.POSTGRES_PORT, for: "PostgreSQL", setting: "POSTGRES_PORT" },
    { url: settings.REDIS_URL, port: settings.REDIS_PORT, for: "Redis", setting: "REDIS_PORT" },
    { url: settings.NATS_URL, port: settings.NATS_PORT, for: "NATS", setting: "NATS_PORT" },
  ];
  return [
    ...servers.flatMap(({ url, ...server }) => (url === undefined ? [{ ...server, host: "127.0.0.1" }] : [])),
    ...serviceInstances(config).map(({ name, number, port, setting }) => ({
      port,
      host: settings.HOST,
      for: `${name}-${number}`,
      setting,
    })),
    edgePort(config),
  ];
}

function edgePort({ settings }: StackConfig): WantedPort {
  return { port: settings.EDGE_PORT, host: settings.HOST, for: "the edge", setting: "EDGE_PORT" };
}

/** Where the processes of a service will listen. */
function urlsOfService(config: StackConfig, name: string): string[] {
  const host = config.settings.HOST === "0.0.0.0" || config.settings.HOST === "::" ? "127.0.0.1" : config.settings.HOST;
  return serviceInstances(config)
    .filter((instance) => instance.name === name)
    .map(({ port }) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`);
}

function serviceInstances({ services }: StackConfig) {
  return services.flatMap(({ name, count, firstPort, setting }) =>
    Array.from({ length: count }, (_, at) => ({ name, number: at + 1, port: firstPort + at, setting })),
  );
}

/** Where the servers of a start are. */
interface Servers {
  /** The owner of the database, who migrates it. */
  readonly ownerUrl: string;
  /** The addresses that services connect to. */
  readonly databaseUrl: string;
  readonly serviceRole?: ServiceRole;
  readonly redisUrl: string;
  readonly natsUrl: string;
}

async function startServers({ config, folder, console, abort }: Start, password: string, undo: Undo): Promise<Servers> {
  const { DATABASE_URL, REDIS_URL, NATS_URL, POSTGRES_PORT, REDIS_PORT, NATS_PORT } = config.settings;
  const logTo = (name: string) => {
    const file = createWriteStream(join(folder.logs, `${name}.log`), { mode: 0o600 });
    return (line: string) => void file.write(`${line}\n`);
  };
  const needed = [
    ...(REDIS_URL === undefined ? ["redis-server" as const] : []),
    ...(NATS_URL === undefined ? ["nats-server" as const] : []),
  ];
  await installMissingPrograms(needed, console.say);
  if (REDIS_URL === undefined) {
    const options = { dataDir: folder.redis, port: REDIS_PORT, onLine: logTo("redis"), abort };
    keep(await startRedisServer(options), console, undo);
  }
  if (NATS_URL === undefined) {
    const options = { dataDir: folder.nats, port: NATS_PORT, onLine: logTo("nats"), abort };
    keep(await startNatsServer(options), console, undo);
  }
  // Somebody else's PostgreSQL may not let us make roles.
  let database: Pick<Servers, "ownerUrl" | "databaseUrl" | "serviceRole"> | undefined;
  if (DATABASE_URL !== undefined) database = { ownerUrl: DATABASE_URL, databaseUrl: DATABASE_URL };
  if (database === undefined) {
    const dataDir = await placePostgres(folder);
    const options = { dataDir, port: POSTGRES_PORT, password, durable: true, onLine: logTo("postgres"), abort };
    const postgres = await startPostgresServer({ ...options, database: "parley" });
    keep(postgres, console, undo);
    const ownerUrl = postgres.databaseUrl("parley");
    database = { ownerUrl, databaseUrl: serviceUrl(ownerUrl), serviceRole: { name: serviceRoleName, password } };
  }
  return {
    ...database,
    redisUrl: REDIS_URL ?? `redis://127.0.0.1:${REDIS_PORT}`,
    natsUrl: NATS_URL ?? `nats://127.0.0.1:${NATS_PORT}`,
  };
}

async function startServices(
  { config, console, abort }: Start,
  surroundings: ServiceSurroundings,
  undo: Undo,
): Promise<ServerProcess[]> {
  const group: Undo = [];
  undo.push(() => Promise.all(group.map((step) => step())));
  const starts = await Promise.allSettled(
    serviceInstances(config).map(async ({ name, number, port }) => {
      const onLine = console.lineOf(`${name}-${number}`);
      const service = await startService(surroundings, { name, number, port, onLine, abort });
      keep(service, console, group);
      return service;
    }),
  );
  return starts.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** From here on the process is started again when it ends, and stopped with the rest. */
function keep(process: ServerProcess, console: Console, undo: Undo): void {
  undo.push(supervise(process, console.say));
}

async function openEdge(config: StackConfig, services: readonly ServerProcess[]): Promise<Edge> {
  const urlsOf = (name: string) => services.filter((service) => service.name.startsWith(name)).map(({ url }) => url);
  const [apis, gateways, discords] = [urlsOf("api-"), urlsOf("gateway-"), urlsOf("discord-")];
  const { HOST: host, EDGE_PORT: port, EDGE_TRUST_FORWARDED: trustForwarded } = config.settings;
  try {
    return await startEdge({
      // "localhost" means ::1 first to many programs.
      hosts: host === "127.0.0.1" ? [host, "::1"] : [host],
      port,
      apis: () => apis,
      gateways: () => gateways,
      discords: () => discords,
      application: await readApplication(config.root),
      trustForwarded,
      ...(config.connectionsPerAddressMax === null
        ? {}
        : { connectionsPerAddressMax: config.connectionsPerAddressMax }),
    });
  } catch (error) {
    throw portRefusal(edgePort(config), systemErrorCode(error) ?? "unknown");
  }
}

function requireNotAborted(abort: AbortSignal): void {
  if (abort.aborted) throw new Refusal("The start was interrupted.");
}

/** The addresses of a running stack as text: names left, addresses right, the last row last. */
export function formatAddressTable(rows: readonly AddressRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, address }) => `  ${name.padEnd(width)}  ${address}`).join("\n");
}

/** A URL without the password in it; a text that is no URL is returned as it is. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.password = "";
  return parsed.toString();
}
