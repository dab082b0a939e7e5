import type { RequestListener, Server, ServerOptions } from "node:http";
import { errorTexts } from "@parley/contracts";
import { holdRequests, prepareClose } from "./close-server.js";
import {
  acceptQueueMax,
  bodyTimeoutMs,
  closeGraceMs,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  timeoutCheckMs,
} from "./limits.js";
import type { Logger } from "./logger.js";
import { createHttpServer, refuseRequest, type UpgradeListener } from "./protocol-errors.js";
import { boundUnfinishedRequests } from "./unfinished-requests.js";

/** The server could not listen on its address; the message is one sentence for the operator. */
export class ListenError extends Error {
  override name = "ListenError";
}

/** A listening server. `port` is the actual one, also when 0 was requested. */
export interface HttpServer {
  server: Server;
  host: string;
  port: number;
  url: string;
  /** Stops accepting connections, waits for requests in flight, and closes remaining connections after the grace. */
  close(): Promise<void>;
}

/**
 * Listens and resolves once the port is open. Upgraded sockets are not closed with it: close those first.
 * @throws ListenError when the address cannot be taken
 */
export async function startHttpServer(options: {
  handler: RequestListener;
  host: string;
  port: number;
  graceMs?: number;
  logger?: Logger;
  /** Takes over upgrades; without it, requests for another protocol are answered like all others. */
  onUpgrade?: UpgradeListener;
  /** Most connections with an unfinished request; above that, the one that has been unfinished longest is closed. */
  unfinishedConnectionsMax?: number;
  /** Classes of requests and responses, for a handler that gives them another prototype. */
  classes?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  /** Other times than the usual ones, for tests. */
  timeouts?: { headMs?: number; bodyMs?: number; wholeMs?: number; checkMs?: number };
}): Promise<HttpServer> {
  const { host, graceMs = closeGraceMs, timeouts = {} } = options;
  const requests = holdRequests(options.handler);
  const server = createHttpServer(
    {
      keepAliveTimeout: keepAliveTimeoutMs,
      headersTimeout: timeouts.headMs ?? headersTimeoutMs,
      requestTimeout: timeouts.wholeMs ?? requestTimeoutMs,
      connectionsCheckingInterval: timeouts.checkMs ?? timeoutCheckMs,
      ...options.classes,
    },
    requests.listener,
    options.onUpgrade,
  );
  let closing: Promise<void> | undefined;
  const unfinished = {
    bodyTimeoutMs: timeouts.bodyMs ?? bodyTimeoutMs,
    connectionsMax: options.unfinishedConnectionsMax ?? Number.POSITIVE_INFINITY,
  };
  boundUnfinishedRequests(server, unfinished, (response) => refuseRequest(response, errorTexts.request_too_slow));
  const closeServer = prepareClose(server, requests);
  const port = await listen(server, host, options.port);
  // Once the server listens: a connection could not be accepted (out of file descriptors). Others are not affected.
  server.on("error", (err) => options.logger?.warn({ err }, "a connection could not be accepted"));
  return {
    server,
    host,
    port,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close() {
      closing ??= closeServer(graceMs);
      return closing;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new ListenError(listenSentence(error, host, port), { cause: error })));
    server.listen({ port, host, backlog: acceptQueueMax }, () => {
      server.removeAllListeners("error");
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}

function listenSentence(error: Error, host: string, port: number): string {
  const code = "code" in error ? error.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is already in use.`;
    case "EACCES":
      return `This user may not listen on port ${port}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine.`;
    default:
      return `Could not listen on port ${port} of ${host}: ${error.message}`;
  }
}
