import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Bounds of what clients have begun to send. */
export interface UnfinishedLimits {
  /** How long the body of a request may take. */
  bodyTimeoutMs: number;
  /** Most connections with an unfinished request; above that the one that began first is closed. */
  connectionsMax: number;
}

const releases = new WeakMap<IncomingMessage, () => void>();

/**
 * Takes a request out of the bounds of unfinished ones: a file over a slow line. The server's own `requestTimeout` goes on
 * for it.
 */
export function allowSlowBody(request: IncomingMessage): void {
  releases.get(request)?.();
}

/**
 * Keeps clients from holding connections with requests that they do not finish. The time of heads is the server's own
 * `headersTimeout`. A server that takes upgrades has its listener for them already.
 *
 * @param refuse answers a request whose body did not arrive in time and closes its connection
 */
export function boundUnfinishedRequests(
  server: Server,
  { bodyTimeoutMs, connectionsMax }: UnfinishedLimits,
  refuse: (response: ServerResponse) => void,
): void {
  // In the order in which they began.
  const unfinished = new Set<Socket>();

  server.on("connection", (socket) => {
    unfinished.add(socket);
    socket.once("close", () => unfinished.delete(socket));
    const [oldest] = unfinished;
    if (unfinished.size > connectionsMax) oldest?.destroy();
  });
  if (server.listenerCount("upgrade") > 0) server.on("upgrade", ({ socket }) => unfinished.delete(socket));
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    if (!hasBody(request)) {
      unfinished.delete(socket);
      return;
    }
    unfinished.add(socket);
    const timer = setTimeout(() => refuse(response), bodyTimeoutMs);
    const release = () => {
      clearTimeout(timer);
      unfinished.delete(socket);
    };
    releases.set(request, release);
    request.once("end", release);
    request.once("close", release);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
