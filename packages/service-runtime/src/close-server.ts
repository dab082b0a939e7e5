import type { RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { acceptDrainMs, idleLingerMs, shortTurnMs } from "./limits.js";

/** A listener that can make its requests wait. States: open (at first), holding. */
export interface HeldRequests {
  readonly listener: RequestListener;
  /** open → holding: requests wait. */
  readonly hold: () => void;
  /** holding → open: passes the waiting requests to the listener, in the order of their arrival. */
  readonly release: () => void;
}

export function holdRequests(listener: RequestListener): HeldRequests {
  let waiting: Parameters<RequestListener>[] | null = null;
  return {
    listener: (request, response) => {
      if (waiting === null) listener(request, response);
      else waiting.push([request, response]);
    },
    hold: () => {
      waiting ??= [];
    },
    release: () => {
      const released = waiting ?? [];
      waiting = null;
      for (const [request, response] of released) listener(request, response);
    },
  };
}

/**
 * Prepares a server that does not listen yet for being closed while a proxy sends requests. The close loses no request
 * that the proxy has sent or may still send, within the grace:
 *
 * 1. The server accepts all waiting connections while it holds their requests back. Then the listener closes, and
 *    further connections are refused.
 * 2. Every response that has not begun gets the header `Connection: close`.
 * 3. An idle connection accepts a request for another `idleLingerMs`. A proxy that keeps idle connections for a shorter
 *    time closes it first, so none of its requests arrives on a connection that is being closed.
 *
 * @returns closes the server; connections that are still open after `graceMs` are cut
 */
export function prepareClose(server: Server, requests: HeldRequests): (graceMs: number) => Promise<void> {
  const connections = new Set<Socket>();
  const answering = new Set<ServerResponse>();
  const idle = new Set<Socket>();
  let isClosing = false;

  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => {
      connections.delete(socket);
      idle.delete(socket);
    });
  });
  if (server.listenerCount("upgrade") > 0) server.on("upgrade", ({ socket }) => connections.delete(socket));
  server.prependListener("request", ({ socket }, response) => {
    idle.delete(socket);
    answering.add(response);
    response.once("close", () => answering.delete(response));
    if (isClosing) response.setHeader("Connection", "close");
  });

  return async (graceMs) => {
    // Keeps the turns of the event loop short, so that connections are accepted faster than they arrive.
    requests.hold();
    await untilNothingWaits(server);
    // The method of http.Server would also close idle connections at once.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    isClosing = true;
    // Applies to connections whose response has begun, once it ends.
    server.keepAliveTimeout = idleLingerMs;
    for (const socket of connections) idle.add(socket);
    for (const response of answering) {
      idle.delete(response.req.socket);
      if (!response.headersSent) response.setHeader("Connection", "close");
    }
    requests.release();
    const endIdle = () => {
      for (const socket of idle) socket.destroy();
    };
    const timers = [
      setTimeout(endIdle, Math.min(idleLingerMs, graceMs)),
      setTimeout(() => server.closeAllConnections(), graceMs),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  };
}

/**
 * Resolves when no connection waits to be accepted, or after `acceptDrainMs`. The kernel resets waiting connections
 * when the listener closes, and a client that has sent a request on one cannot find out that it was not executed.
 * Node.js accepts one connection per turn of its event loop, so a turn without one has found none waiting. Only turns
 * shorter than `shortTurnMs` count, because connections may arrive during a long one.
 */
async function untilNothingWaits(server: Server): Promise<void> {
  const startedAt = performance.now();
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  // The first turn may have begun before the listener was added.
  for (let turn = 0; performance.now() - startedAt < acceptDrainMs; turn += 1) {
    const [before, turnStartedAt] = [accepted, performance.now()];
    await nextTurn();
    if (turn > 0 && accepted === before && performance.now() - turnStartedAt < shortTurnMs) break;
  }
  server.off("connection", count);
}
