import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "./server-process.js";

/** The services in the order in which they start. */
export const serviceNames = ["api", "gateway", "automod", "webhook-dispatcher", "discord"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The servers and secrets that every service of one stack shares. */
export interface ServiceSurroundings {
  /** The repository's root, where the built services are. */
  readonly root: string;
  readonly host: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  readonly jwtSecret: string;
  readonly uploadDir: string;
  /** Addresses that the service for Discord's bots asks; it needs them alone. */
  readonly apiUrls?: readonly string[];
  readonly gatewayUrls?: readonly string[];
  /** Settings that win over the defaults of the local stack. */
  readonly env: NodeJS.ProcessEnv;
}

/** One process of a service. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly number: number;
  readonly port: number;
  /** Another file than the built program, and its arguments. */
  readonly program?: readonly [file: string, ...args: string[]];
  readonly onLine?: (line: string) => void;
  readonly abort?: AbortSignal;
}

/** Starts one built service and resolves when its readiness answers 200; throws a Refusal with its last lines otherwise. */
export function startService(surroundings: ServiceSurroundings, service: ServiceProcess): Promise<ServerProcess> {
  const program = service.program ?? [join(surroundings.root, "services", service.name, "dist", "main.js")];
  const instance = `${service.name}-${service.number}`;
  // A listener on every address is reached through the loopback one.
  const reachable = surroundings.host === "0.0.0.0" || surroundings.host === "::" ? "127.0.0.1" : surroundings.host;
  const given = {
    NODE_ENV: "production",
    APP_ENV: "development",
    DATABASE_URL: surroundings.databaseUrl,
    REDIS_URL: surroundings.redisUrl,
    NATS_URL: surroundings.natsUrl,
    JWT_SECRET: surroundings.jwtSecret,
    UPLOAD_DIR: surroundings.uploadDir,
    // The edge runs on this machine and names the client.
    TRUST_PROXY: "127.0.0.1/32,::1/128",
    WEBHOOK_ALLOW_PRIVATE: "true",
    ...(surroundings.apiUrls === undefined ? {} : { API_URL: surroundings.apiUrls.join(",") }),
    ...(surroundings.gatewayUrls === undefined ? {} : { GATEWAY_URL: surroundings.gatewayUrls.join(",") }),
  };
  // A setting may come from a file instead, never from both.
  const isGivenHere = ([name]: [string, string]) => surroundings.env[`${name}_FILE`] === undefined;
  const url = `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${service.port}`;
  return startServerProcess({
    name: instance,
    url,
    port: service.port,
    ready: { url: `${url}/health/ready` },
    stopSignal: "SIGTERM",
    abort: service.abort,
    start: {
      command: process.execPath,
      args: ["--enable-source-maps", ...program],
      cwd: surroundings.root,
      env: {
        ...Object.fromEntries(Object.entries(given).filter(isGivenHere)),
        ...surroundings.env,
        HOST: surroundings.host,
        PORT: String(service.port),
        NODE_ID: instance,
      },
      onLine: service.onLine,
    },
  });
}
