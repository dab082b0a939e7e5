import { setMaxListeners } from "node:events";
import { type MinimalLogger, type TlsFiles, tlsFilesOf, within } from "@parley/service-runtime";
import { connect, ErrorCode, Events, type NatsConnection, NatsError } from "nats";
import { connectTimeoutMs, pingIntervalMs, pingsOutMax, reconnectWaitMs } from "./limits.js";

export interface MessagingOptions {
  /**
   * `nats://host:port`, or several separated by commas. `user:password@` or `token@` before a host counts for all, and
   * several must be the same; one `tls://` has every connection encrypted, with the files that one of them names.
   */
  url: string;
  /** Shown in the server's connection list. */
  name: string;
  logger: MinimalLogger;
}

/** A connection to NATS that outlives the server's restarts. */
export interface Messaging {
  /** For the functions of this package. */
  readonly nats: NatsConnection;
  /** For the functions of this package, which log messages that they drop. */
  readonly logger: MinimalLogger;
  /** False while the server is out of reach; nothing is queued for it meanwhile. */
  readonly connected: boolean;
  /**
   * Calls the listener on every change of {@link Messaging.connected}.
   *
   * @returns removes the listener
   */
  onConnectionChange(listener: (connected: boolean) => void): () => void;
  /** Aborted when the present connection is lost; the next connection has a signal of its own. */
  readonly connectionLost: AbortSignal;
  /** Events that each durable consumer gave up in this process. */
  readonly givenUp: Map<string, number>;
  /**
   * Waits for an answer until the present connection is lost: the answer would be lost with it.
   *
   * @throws Error when there is no connection or it is lost; otherwise the error of the work
   */
  whileConnected<Result>(work: Promise<Result>): Promise<Result>;
  /**
   * Round trip to the server.
   *
   * @throws Error when it takes longer than `timeoutMs` or there is no connection
   */
  ping(timeoutMs: number): Promise<void>;
  /** Delivers published messages, then closes. */
  close(): Promise<void>;
}

/**
 * Connects to NATS and keeps the connection: afterwards an outage shows in `connected` and ends by itself.
 *
 * @throws Error when the first connection fails for {@link connectTimeoutMs}, or at once when the server refuses the credentials
 *   or does not offer the required encryption
 */
export async function connectMessaging({ url, name, logger }: MessagingOptions): Promise<Messaging> {
  const nats = await connectWithin(url, name);
  let connected = true;
  let connection = beginConnection();
  const listeners = new Set<(connected: boolean) => void>();
  const change = (now: boolean) => {
    if (connected === now) return;
    connected = now;
    if (now) connection = beginConnection();
    else connection.abort(new Error("the connection to NATS was lost"));
    for (const listener of listeners) listener(now);
  };

  const watch = async () => {
    for await (const status of nats.status()) {
      if (status.type === Events.Disconnect) {
        logger.warn({ server: status.data }, "NATS connection lost");
        change(false);
      } else if (status.type === Events.Reconnect) {
        logger.info({ server: status.data }, "NATS connection restored");
        change(true);
      } else if (status.type === Events.Error) {
        logger.warn({ error: status.data }, "NATS reported an error");
      }
    }
  };
  void watch();

  return {
    nats,
    logger,
    givenUp: new Map(),
    get connected() {
      return connected;
    },
    onConnectionChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get connectionLost() {
      return connection.signal;
    },
    whileConnected: (work) => unlessAborted(connection.signal, work),
    async ping(timeoutMs) {
      if (!connected) throw new Error("NATS is not connected");
      await within(nats.flush(), timeoutMs, () => {
        throw new Error("NATS did not answer in time");
      });
    },
    async close() {
      if (nats.isClosed()) return;
      // Draining waits for the server; without one there is nothing to wait for.
      if (connected) await nats.drain();
      else await nats.close();
    },
  };
}

/** Any number of requests may wait for one signal. */
function beginConnection(): AbortController {
  const connection = new AbortController();
  setMaxListeners(0, connection.signal);
  return connection;
}

async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function connectWithin(url: string, name: string): Promise<NatsConnection> {
  const deadline = Date.now() + connectTimeoutMs;
  const address = addressOf(url);
  for (;;) {
    try {
      return await connect({
        ...address,
        name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: reconnectWaitMs,
        pingInterval: pingIntervalMs,
        maxPingOut: pingsOutMax,
      });
    } catch (error) {
      if (error instanceof NatsError && error.code === ErrorCode.AuthorizationViolation) {
        throw new Error(`NATS at ${hostsOf(url)} refuses the credentials`, { cause: error });
      }
      if (error instanceof NatsError && error.code === ErrorCode.ServerOptionNotAvailable) {
        throw new Error(`NATS at ${hostsOf(url)} does not offer TLS`, { cause: error });
      }
      if (Date.now() >= deadline) throw new Error(`NATS is not reachable at ${hostsOf(url)}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, reconnectWaitMs));
    }
  }
}

/**
 * Servers, credentials and encryption as the client takes them. It gets host and port only: it parses anything else in an
 * address as a part of an IPv6 address unless the host has a dot, and ignores the scheme.
 *
 * @throws Error when two addresses carry different credentials
 */
function addressOf(url: string) {
  const servers = url.split(",").map((server) => new URL(server.trim()));
  const secured = servers.some(({ protocol }) => protocol === "tls:") ? { tls: tlsOf(servers) } : {};
  return { servers: servers.map(({ host }) => host), ...credentialsOf(servers), ...secured };
}

/** By their paths: the client reads them for each connection, and so takes renewed ones. */
function tlsOf(servers: readonly URL[]): { certFile?: string; keyFile?: string; caFile?: string } {
  const { cert, key, ca }: TlsFiles = Object.assign({}, ...servers.map(tlsFilesOf));
  return {
    ...(cert === undefined ? {} : { certFile: cert }),
    ...(key === undefined ? {} : { keyFile: key }),
    ...(ca === undefined ? {} : { caFile: ca }),
  };
}

function credentialsOf(servers: readonly URL[]): { user: string; pass: string } | { token: string } | undefined {
  const [first, ...others] = servers.filter(({ username }) => username !== "");
  if (first === undefined) return undefined;
  if (others.some(({ username, password }) => username !== first.username || password !== first.password)) {
    throw new Error("The addresses of NATS carry different credentials; all servers of a cluster take the same");
  }
  const user = decodeURIComponent(first.username);
  return first.password === "" ? { token: user } : { user, pass: decodeURIComponent(first.password) };
}

/** The addresses of the url without the credentials and parameters that it may carry. */
function hostsOf(url: string): string {
  return url
    .split(",")
    .map((server) =>
      server
        .trim()
        .replace(/^(\w+:\/\/)?[^@/]*@/, "$1")
        .replace(/\?.*$/, ""),
    )
    .join(", ");
}
