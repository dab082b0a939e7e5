import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";

const Condition = z.object({
  condition: z.enum(["service_healthy", "service_completed_successfully", "service_started"]),
});

/** A service of docker-compose.yml, as far as tests look at it; keys that Compose does not have are refused. */
const ComposeService = z.strictObject({
  image: z.string(),
  build: z
    .strictObject({
      context: z.literal("."),
      dockerfile: z.string(),
      target: z.string(),
      args: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  profiles: z.array(z.string()).default([]),
  scale: z.coerce.number().int().optional(),
  mem_limit: z.string().optional(),
  pids_limit: z.int(),
  labels: z.record(z.string(), z.string()).optional(),
  secrets: z.array(z.string()).default([]),
  logging: z.strictObject({
    driver: z.literal("local"),
    options: z.strictObject({ "max-size": z.string(), "max-file": z.string() }),
  }),
  restart: z.string(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  network_mode: z.string().optional(),
  pid: z.literal("host").optional(),
  networks: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ aliases: z.array(z.string()) }))])
    .default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  stop_signal: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), Condition).default({}),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.enum(["CMD", "CMD-SHELL"])]).rest(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.int(),
      start_period: z.string().optional(),
      start_interval: z.string().optional(),
    })
    .optional(),
  stop_grace_period: z.string().optional(),
  shm_size: z.string().optional(),
  ulimits: z.strictObject({ nofile: z.int() }).optional(),
  sysctls: z.record(z.string(), z.int()).optional(),
});
export type ComposeService = z.infer<typeof ComposeService>;

const ComposeFile = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), ComposeService),
  networks: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
  volumes: z.record(z.string(), z.null()),
});
export type ComposeFile = z.infer<typeof ComposeFile>;

/** Reads the compose file of an installation; throws where a required variable is missing. */
export async function readCompose(file: string, variables: Record<string, string>): Promise<ComposeFile> {
  return ComposeFile.parse(await readMerged(file, variables));
}

/** Reads a compose file as Compose does: merges, then variables. */
export async function readMerged(file: string, variables: Record<string, string>): Promise<unknown> {
  const document: unknown = parse(await readFile(file, "utf8"), { merge: true });
  const entries = Object.entries(z.record(z.string(), z.unknown()).parse(document));
  const own = Object.fromEntries(entries.filter(([key]) => !key.startsWith("x-")));
  return interpolate(own, variables);
}

function interpolate(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === "string") return interpolateText(value, variables);
  if (Array.isArray(value)) return value.map((entry) => interpolate(entry, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, interpolate(entry, variables)]));
}

function interpolateText(text: string, variables: Record<string, string>): string {
  // The second form of the rest is a variable inside.
  const pattern = /\$\{(\w+)(:-|:\?|:\+)?((?:[^{}]|\$\{[^{}]*\})*)\}/g;
  return text.replace(pattern, (_, name: string, operator: string | undefined, rest: string) => {
    const value = variables[name];
    const isSet = value !== undefined && value !== "";
    if (operator === ":+") return isSet ? interpolateText(rest, variables) : "";
    if (isSet) return value;
    if (operator === ":-") return interpolateText(rest, variables);
    throw new Error(`${name} is missing: ${rest}`);
  });
}
