import { hostname } from "node:os";
import { z } from "zod";
import { eachHost } from "./each-host.js";

/** Columns of the settings table for each setting. `purpose` is a phrase without a full stop. */
interface SettingText {
  purpose: string;
}

/** A text setting; required unless it has a default. */
export function textSetting(options: SettingText & { default?: string; lengthMin?: number }) {
  const { purpose, lengthMin = 1 } = options;
  const text = z.string().min(lengthMin, `must have at least ${lengthMin} characters`);
  return options.default === undefined ? text.describe(purpose) : text.default(options.default).describe(purpose);
}

/** A text setting that may be absent; then it is undefined. */
export function optionalTextSetting(options: SettingText & { lengthMin?: number }) {
  const { purpose, lengthMin = 1 } = options;
  return z.string().min(lengthMin, `must have at least ${lengthMin} characters`).optional().describe(purpose);
}

/** An instant in ISO 8601, in UTC, that may be absent; then it is undefined. */
export function optionalInstantSetting({ purpose }: SettingText) {
  return z.iso
    .datetime("must be a time such as 2026-01-02T03:04:05.678Z")
    .transform((text) => new Date(text))
    .optional()
    .describe(purpose);
}

/** A whole number within bounds, both included. */
export function integerSetting(options: SettingText & { default: number; min: number; max: number }) {
  const { purpose, min, max } = options;
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, { message, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(options.default)
    .describe(purpose);
}

/** `true`/`false` (also `1`/`0`, `yes`/`no`, `on`/`off`, in any case). */
export function booleanSetting(options: SettingText & { default: boolean }) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(["true", "1", "yes", "on", "false", "0", "no", "off"], "must be true or false"))
    .transform((value) => value === "true" || value === "1" || value === "yes" || value === "on")
    .default(options.default)
    .describe(options.purpose);
}

/** One of the given words. */
export function choiceSetting<const T extends readonly [string, ...string[]]>(
  options: SettingText & { choices: T; default: NoInfer<T[number]> },
) {
  return z
    .enum(options.choices, `must be one of ${options.choices.join(", ")}`)
    .default(options.default)
    .describe(options.purpose);
}

/**
 * A comma list: entries trimmed, empty ones dropped.
 *
 * @param options.isEntry refuses the list when it is false for one of them; `entries` is the expected kind, in the
 * plural
 */
export function listSetting(
  options: SettingText & { default?: readonly string[] } & (
      | { isEntry: (entry: string) => boolean; entries: string }
      | { isEntry?: undefined }
    ),
) {
  const { purpose } = options;
  const list = z.string().transform((value) =>
    value
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ""),
  );
  const { isEntry } = options;
  const checked =
    isEntry === undefined
      ? list
      : list.refine((entries) => entries.every(isEntry), `must be a comma list of ${options.entries}`);
  return checked.default([...(options.default ?? [])]).describe(purpose);
}

interface UrlOptions extends SettingText {
  schemes: readonly [string, ...string[]];
  /** A comma list of them, kept as one string. */
  many?: boolean;
  /** Schemes after which the URL may name a comma list of hosts. */
  hostLists?: readonly string[];
}

/** One URL (with `many`: several) of one of the schemes; required without default. */
export function urlSetting(options: UrlOptions & { default?: string }) {
  const url = urlText(options);
  return options.default === undefined
    ? url.describe(options.purpose)
    : url.default(options.default).describe(options.purpose);
}

/** A URL setting that may be absent; then it is undefined. */
export function optionalUrlSetting(options: UrlOptions) {
  return urlText(options).optional().describe(options.purpose);
}

function urlText({ schemes, many = false, hostLists = [] }: UrlOptions) {
  const hasScheme = (value: string, of: readonly string[]) =>
    of.some((scheme) => value.toLowerCase().startsWith(`${scheme}://`));
  const parts = (value: string) => {
    if (many) return value.split(",").map((part) => part.trim());
    return hasScheme(value, hostLists) ? eachHost(value) : [value];
  };
  const isUrl = (value: string) => URL.canParse(value) && hasScheme(value, schemes);
  const starts = schemes.map((scheme) => `${scheme}://`).join(" or ");
  return z
    .string()
    .refine((value) => parts(value).every(isUrl), {
      message: `must be a URL that starts with ${starts}`,
      abort: true,
    })
    .refine((value) => parts(value).every(namesHost), { message: "must name a host", abort: true })
    .refine((value) => parts(value).every(hasReadableCredentials), "must have % in user and password written as %25");
}

/** PostgreSQL also takes the folder of a socket as a parameter. */
function namesHost(value: string): boolean {
  const { hostname: host, searchParams } = new URL(value);
  return host !== "" || searchParams.has("host");
}

function hasReadableCredentials(value: string): boolean {
  const { username, password } = new URL(value);
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

/** An address to listen on. */
export function addressSetting(options: SettingText & { default: string }) {
  return z
    .string()
    .regex(/^[\w.:%-]+$/, "must be an IP address or a host name")
    .default(options.default)
    .describe(options.purpose);
}

/** PostgreSQL, of the services and of the migration job. */
export function databaseUrlSetting() {
  const schemes = ["postgresql", "postgres"] as const;
  return urlSetting({
    purpose:
      "PostgreSQL 18 or later; several hosts, of which the one that takes writes is used: " +
      "postgresql://user:password@a:5432,b:5432/parley?target_session_attrs=read-write",
    schemes,
    hostLists: schemes,
  }).refine((url) => {
    const [first, ...others] = eachHost(url);
    const wanted = new URL(first).searchParams.get("target_session_attrs") ?? "read-write";
    return others.length === 0 || /^(read-write|primary)$/.test(wanted);
  }, "must have target_session_attrs=read-write with several hosts");
}

/** Redis with sentinels that know its address, without and with TLS. */
const sentinelSchemes = ["redis+sentinel", "rediss+sentinel"] as const;

const pathOf = (url: string) => new URL(eachHost(url)[0]).pathname;

/** The settings that every service has; spread them into its schema. `port` is the service's own default port. */
export function baseSettings(defaults: { port: number }) {
  return {
    HOST: addressSetting({ purpose: "Address to listen on; 0.0.0.0 inside a container", default: "127.0.0.1" }),
    PORT: integerSetting({
      purpose: "Port to listen on; 0 takes a free one",
      default: defaults.port,
      min: 0,
      max: 65535,
    }),
    NODE_ID: z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 printable ASCII characters without spaces")
      .default(() => `${hostname()}-${process.pid}`)
      .meta({
        description: "Name of this process in logs and leases; unique among running processes",
        defaultText: "host name and process id",
      }),
    PARLEY_VERSION: textSetting({
      purpose: "Version in the metric parley_build_info; an image has that of its build",
      default: "development",
    }),
    APP_ENV: choiceSetting({
      purpose: "production, or development (any CORS origin)",
      choices: ["production", "development"],
      default: "production",
    }),
    LOG_LEVEL: choiceSetting({
      purpose: "Least severe level that is logged",
      choices: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      default: "info",
    }),
    DATABASE_URL: databaseUrlSetting(),
    REDIS_URL: urlSetting({
      purpose:
        "Redis; with Sentinel, the sentinels and the name of what they watch: redis+sentinel://:password@a:26379,b:26379/mymaster",
      schemes: ["redis", "rediss", ...sentinelSchemes],
      hostLists: sentinelSchemes,
      default: "redis://127.0.0.1:6379",
    }).refine(
      (url) => !sentinelSchemes.some((scheme) => url.startsWith(`${scheme}:`)) || /^\/[^/]+$/.test(pathOf(url)),
      "must name what the sentinels watch, as in redis+sentinel://a:26379,b:26379/mymaster",
    ),
    NATS_URL: urlSetting({
      purpose: "NATS servers with JetStream, comma list",
      schemes: ["nats", "tls"],
      default: "nats://127.0.0.1:4222",
      many: true,
    }),
    METRICS_PORT: integerSetting({
      purpose: "Port of a second listener with metrics and health for a private network; 0 for none",
      default: 0,
      min: 0,
      max: 65535,
    }),
    METRICS_HOST: addressSetting({ purpose: "Address of that listener", default: "127.0.0.1" }),
    OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrlSetting({
      purpose: "Collector that gets OpenTelemetry traces over HTTP; without it there are none",
      schemes: ["http", "https"],
    }),
    OTEL_EXPORTER_OTLP_HEADERS: optionalTextSetting({ purpose: "Headers for the collector, such as its key" }),
    OTEL_TRACES_SAMPLER: optionalTextSetting({
      purpose: "Which requests are traced; parentbased_traceidratio for a share, all by default",
    }),
    OTEL_TRACES_SAMPLER_ARG: optionalTextSetting({ purpose: "That share, such as 0.01" }),
    SHUTDOWN_TIMEOUT_MS: integerSetting({
      purpose: "Time limit of each shutdown step in milliseconds",
      default: 10_000,
      min: 100,
      max: 600_000,
    }),
  };
}
