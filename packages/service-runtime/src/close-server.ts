import type { RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { acceptDrainMs, idleLingerMs, shortTurnMs } from "./limits.js";

/** A listener whose requests can be kept waiting. */
export interface HeldRequests {
  readonly listener: RequestListener;
  /** From now on requests wait. */
  readonly hold: () => void;
  /** Those that wait begin, in their order, and later ones at once. */
  readonly release: () => void;
}

/** Puts a gate before a listener, open at first. */
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
 * Prepares a server that has not begun to listen for a close under the traffic of a proxy. The close loses no request that
 * the proxy has sent or may still send, up to the grace:
 *
 * 1. What waits to be accepted is accepted, before any work for it begins; then the listener closes, and the proxy's next
 *    connection is refused.
 * 2. Every answer that has not begun yet says `Connection: close`.
 * 3. An idle connection still takes a request for `idleLingerMs`. A proxy that keeps idle connections for a shorter time
 *    closes it first, so none of its requests can meet a connection that is being closed.
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
    // Turns of the event loop stay short, so that connections are accepted faster than they come.
    requests.hold();
    await untilNothingWaits(server);
    // The close of an HTTP server would end idle connections at once.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    isClosing = true;
    // For the connections of answers that have begun.
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
 * Resolves when no connection waits to be accepted: the kernel resets those that do when the listener closes, and whoever
 * has sent a request on one cannot know that it was not executed. Node.js accepts one per turn of its event loop, so a turn
 * without one has found none waiting; a long turn says nothing about those that came during it.
 */
async function untilNothingWaits(server: Server): Promise<void> {
  const startedAt = performance.now();
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  // The first turn may have begun before.
  for (let turn = 0; performance.now() - startedAt < acceptDrainMs; turn += 1) {
    const [before, turnStartedAt] = [accepted, performance.now()];
    await nextTurn();
    if (turn > 0 && accepted === before && performance.now() - turnStartedAt < shortTurnMs) break;
  }
  server.off("connection", count);
}
