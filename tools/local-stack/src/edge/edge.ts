import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createHttpServer } from "@parley/service-runtime";
import { systemErrorCode } from "../refusal.js";
import { type Application, answerWithApplication, applicationRequest } from "./application.js";
import { answer, edgeAnswers } from "./error-answer.js";
import { createRequestForwarder } from "./forward-request.js";
import { createUpgradeForwarder } from "./forward-upgrade.js";
import { headersTimeoutMs, keepAliveTimeoutMs, repeatMs, requestTimeoutMs, timeoutCheckMs } from "./limits.js";
import { createUpstreams } from "./upstreams.js";

/** The one address of a local stack (docs/protocol/requests.md#1.1: the front proxy). */
export interface Edge {
  readonly url: string;
  readonly port: number;
  /** Accepts no new connections; open ones stay, so that gateways can still send close frames. */
  readonly stopListening: () => void;
  /** Stops listening and ends every connection. */
  readonly close: () => Promise<void>;
}

/**
 * Listens on each of `hosts` (the first is required, the others are used where the machine has them) and routes `/ws`
 * and `/api/ws` to the gateways, `/discord` to the service for bots written for Discord, the root and `/app/` to the application, and the rest to the apis; `/metrics` is not
 * exposed. `apis` and `gateways` are called for every request, so the list of processes may change.
 */
export async function startEdge(options: {
  hosts: readonly [string, ...string[]];
  port: number;
  apis: () => readonly string[];
  gateways: () => readonly string[];
  /** The service for bots written for Discord; without it its addresses are the apis', which do not know them. */
  discords?: () => readonly string[];
  /** Without it the root and `/app/` are the apis' too. */
  application?: Application;
  /** Continue a client's X-Forwarded-For: only behind a further proxy. */
  trustForwarded?: boolean;
  /** Most connections of one address; further ones are closed at once. Without it there is no such limit. */
  connectionsPerAddressMax?: number;
  /** Other times than the usual ones, for tests. */
  timeouts?: { headMs?: number; checkMs?: number; waitMs?: number };
}): Promise<Edge> {
  const apis = createUpstreams(options.apis);
  const gateways = createUpstreams(options.gateways);
  const discords = createUpstreams(options.discords ?? (() => []));
  const upstreamsOf = (route: Route) => {
    if (route === "gateway") return gateways;
    return route === "discord" && (options.discords?.().length ?? 0) > 0 ? discords : apis;
  };
  const requests = createRequestForwarder({ waitMs: options.timeouts?.waitMs ?? repeatMs });
  const forwardUpgrade = createUpgradeForwarder();
  const connections = new Set<Socket>();
  const { application } = options;

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const asked = application === undefined ? null : applicationRequest(request);
    if (application !== undefined && asked !== null) {
      void answerWithApplication(application, asked, request, response);
      return;
    }
    const route = routeOf(request);
    setForwardedHeaders(request, options.trustForwarded ?? false);
    if (route === "nobody") answer(response, edgeAnswers.notFound);
    else {
      const { order } = upstreamsOf(route);
      requests
        .forward(request, response, order, { waits: route === "api" })
        .catch(() => answer(response, edgeAnswers.badGateway));
    }
  }

  function onUpgrade(this: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    if (request.headers.upgrade?.toLowerCase() !== "websocket" || request.method !== "GET") {
      readAgainWithoutUpgrade(this, request, socket, head);
      return;
    }
    const route = routeOf(request);
    setForwardedHeaders(request, options.trustForwarded ?? false);
    void forwardUpgrade(request, socket, head, upstreamsOf(route));
  }

  const times = {
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: options.timeouts?.headMs ?? headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: options.timeouts?.checkMs ?? timeoutCheckMs,
  };
  const accept = limitConnections(options.connectionsPerAddressMax ?? Number.POSITIVE_INFINITY);
  const servers: Server[] = [];
  for (const host of options.hosts) {
    const server = createHttpServer(times, onRequest, onUpgrade);
    server.on("connection", (socket) => {
      // A request that is read again is not another connection.
      if (connections.has(socket)) return;
      connections.add(socket);
      socket.once("close", () => connections.delete(socket));
      accept(socket);
    });
    const listening = await listen(server, host, options.port).catch(async (error: unknown) => {
      const code = systemErrorCode(error) ?? "";
      // A machine without IPv6 has no ::1; the first address serves it alone.
      if (servers.length > 0 && ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(code)) return false;
      for (const open of servers) open.close();
      throw error;
    });
    if (listening) servers.push(server);
  }

  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.once("close", resolve))));
  return {
    url: `http://localhost:${options.port}`,
    port: options.port,
    stopListening: () => {
      for (const server of servers) server.close();
    },
    close: async () => {
      for (const server of servers) server.close();
      for (const socket of connections) socket.destroy();
      requests.close();
      await closed;
    },
  };
}

/**
 * Node.js emits `upgrade` for every request that offers one, also the offers of HTTP/2 that some clients attach to
 * ordinary requests. This puts those back without the offer, so that the server reads them as ordinary requests, body
 * included.
 */
function readAgainWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? "";
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

type Route = "api" | "gateway" | "discord" | "nobody";

function routeOf(request: IncomingMessage): Route {
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
  const bare = path.replace(/\/$/, "").replace(/^\/api(?=\/)/, "");
  if (bare === "/ws") return "gateway";
  if (path === "/discord" || path.startsWith("/discord/")) return "discord";
  return bare === "/metrics" ? "nobody" : "api";
}

function listen(server: Server, host: string, port: number): Promise<true> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      resolve(true);
    });
  });
}

/**
 * Sets the headers from which services read the address of the client. They trust this edge, so such headers of a
 * client are replaced. Only behind a further proxy (`trustForwarded`) the address is appended to its X-Forwarded-For.
 */
function setForwardedHeaders(request: IncomingMessage, trustForwarded: boolean): void {
  const { headers } = request;
  const peer = request.socket.remoteAddress ?? "unknown";
  const before = headers["x-forwarded-for"];
  headers["x-forwarded-for"] = trustForwarded && before !== undefined ? `${String(before)}, ${peer}` : peer;
  if (!trustForwarded || headers["x-forwarded-proto"] === undefined) headers["x-forwarded-proto"] = "http";
  if (!trustForwarded || headers["x-forwarded-host"] === undefined) headers["x-forwarded-host"] = headers.host ?? "";
  delete headers.forwarded;
}

/**
 * Limits the connections of one address, so that one client cannot hold all file descriptors of the edge.
 *
 * @returns to be called with each new connection; closes it when its address has as many as it may
 */
function limitConnections(max: number): (socket: Socket) => void {
  const counts = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? "";
    const count = counts.get(address) ?? 0;
    if (count >= max) {
      socket.destroy();
      return;
    }
    counts.set(address, count + 1);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  };
}
