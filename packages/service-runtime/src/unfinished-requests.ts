import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Bounds of unfinished requests: the server has not received their whole head and body. */
export interface UnfinishedLimits {
  /** How long the body of a request may take. */
  bodyTimeoutMs: number;
  /** Most connections with an unfinished request; above that, the one that has been unfinished longest is closed. */
  connectionsMax: number;
}

/** A property of the request: an entry of a WeakMap for each request cost a tenth of the time that answering it took. */
const release = Symbol("release");

interface BoundedRequest extends IncomingMessage {
  [release]?: () => void;
}

/**
 * Exempts a request from the bounds of unfinished ones, for uploads over slow lines. The server's `requestTimeout`
 * still applies to it.
 */
export function allowSlowBody(request: BoundedRequest): void {
  request[release]?.();
}

/**
 * Limits the connections that clients occupy with unfinished requests, and the time of bodies. The time of heads is
 * limited by the server's `headersTimeout`. If the server takes upgrades, their listener must be added before this
 * call.
 *
 * @param refuse answers a request whose body did not arrive in time and closes its connection
 */
export function boundUnfinishedRequests(
  server: Server,
  { bodyTimeoutMs, connectionsMax }: UnfinishedLimits,
  refuse: (response: ServerResponse) => void,
): void {
  // In the order in which the requests, or the connections before their first request, began.
  const unfinished = new Set<Socket>();

  server.on("connection", (socket) => {
    unfinished.add(socket);
    socket.once("close", () => unfinished.delete(socket));
    const [oldest] = unfinished;
    if (unfinished.size > connectionsMax) oldest?.destroy();
  });
  if (server.listenerCount("upgrade") > 0) server.on("upgrade", ({ socket }) => unfinished.delete(socket));
  server.prependListener("request", (request: BoundedRequest, response) => {
    const { socket } = request;
    if (!hasBody(request)) {
      unfinished.delete(socket);
      return;
    }
    unfinished.add(socket);
    const timer = setTimeout(() => refuse(response), bodyTimeoutMs);
    const end = () => {
      clearTimeout(timer);
      unfinished.delete(socket);
    };
    request[release] = end;
    request.once("end", end);
    request.once("close", end);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
