import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from "pino";
import { redactUrl } from "./redact-url.js";
import { contextFields } from "./work-context.js";

export type { Logger } from "pino";

/** The part of a logger that packages use; a pino logger has it. */
export interface MinimalLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const secretPaths = ["authorization", "cookie", "token", "password", "access_token", "refresh_token", "bot_token"];

/**
 * A pino logger that writes one JSON line per entry to stdout, with `service` and `node` in each, and the ids
 * of the request and the trace that the work belongs to. Credentials are
 * redacted: the usual names at the top level, one level down and in `req.headers`; `url` loses token values.
 * @param options.destination another stream to write to, for tests
 */
export function createLogger(options: {
  service: string;
  level: string;
  nodeId: string;
  destination?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service, node: options.nodeId },
    timestamp: stdTimeFunctions.isoTime,
    mixin: contextFields,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      err: stdSerializers.err,
      url: (url: unknown) => (typeof url === "string" ? redactUrl(url) : url),
    },
    redact: {
      paths: secretPaths.flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]),
      censor: "[redacted]",
    },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}
