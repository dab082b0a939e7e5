import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { waitUntil } from "@parley/testing";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { findFreePort } from "../ports.js";
import { type Edge, startEdge } from "./edge.js";

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startUpstream(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: urlOf(server), server };
}

function urlOf(server: Server): string {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return `http://127.0.0.1:${address.port}`;
}

/** Answers with what arrived. */
const echo: RequestListener = async (request, response) => {
  const body = await text(request);
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({ url: request.url, method: request.method, headers: request.headers, bytes: body.length }),
  );
};

const Echoed = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  bytes: z.int(),
});

const named =
  (name: string): RequestListener =>
  (_request, response) => {
    response.end(name);
  };

async function refusedUrl(): Promise<string> {
  return `http://127.0.0.1:${await findFreePort()}`;
}

async function edgeTo({
  apis = [],
  gateways = [],
  ...options
}: { apis?: string[]; gateways?: string[] } & Omit<
  Partial<Parameters<typeof startEdge>[0]>,
  "apis" | "gateways"
>): Promise<Edge> {
  const edge = await startEdge({
    ...options,
    hosts: ["127.0.0.1"],
    port: await findFreePort(),
    apis: () => apis,
    gateways: () => gateways,
  });
  closers.push(() => edge.close());
  return { ...edge, url: `http://127.0.0.1:${edge.port}` };
}

async function startGateway(): Promise<{ url: string; sockets: WebSocketServer; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const { url, server } = await startUpstream((_request, response) => {
    response.statusCode = 400;
    response.end("upgrade required");
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    requests.push(request);
    if (request.url?.includes("token=bad")) {
      socket.end(
        'HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"error":"x"}',
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => client.on("message", (data) => client.send(String(data))));
  });
  return { url, sockets, requests };
}

async function openSocket(edge: Edge, path = "/ws?token=good"): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}${path}`);
  await once(socket, "open");
  closers.push(() => socket.terminate());
  return socket;
}

/** Writes raw bytes and returns everything that comes back until the connection ends. */
async function exchangeRaw(edge: Edge, bytes: string): Promise<string> {
  const socket = connect(edge.port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

describe("edge: requests", () => {
  test("hands method, path, query and a 52 MB body on to the api", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url] });
    const bytes = 52 * 1024 * 1024;
    const response = await fetch(`${edge.url}/api/files?x=1`, { method: "POST", body: Buffer.alloc(bytes, "a") });
    expect(await response.json()).toMatchObject({ url: "/api/files?x=1", method: "POST", bytes });
  });

  test("hands on a body whose length is not known beforehand", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url] });
    const request = httpRequest(`${edge.url}/chunked`, { method: "PUT" });
    request.write("a".repeat(70_000));
    request.end("b".repeat(70_000));
    const [response] = await once(request, "response");
    expect(JSON.parse(await text(response))).toMatchObject({ method: "PUT", bytes: 140_000 });
  });

  test("names the peer in X-Forwarded-For and drops what the client claims", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url] });
    const response = await fetch(edge.url, { headers: { "x-forwarded-for": "6.6.6.6", forwarded: "for=6.6.6.6" } });
    const { headers } = Echoed.parse(await response.json());
    expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(headers.forwarded).toBeUndefined();
    expect(headers["x-forwarded-proto"]).toBe("http");
  });

  test("continues X-Forwarded-For only when it is told to trust it", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url], trustForwarded: true });
    const response = await fetch(edge.url, { headers: { "x-forwarded-for": "6.6.6.6" } });
    expect(Echoed.parse(await response.json()).headers["x-forwarded-for"]).toBe("6.6.6.6, 127.0.0.1");
  });

  test.each(["/metrics", "/api/metrics", "/metrics/", "/metrics?x=1"])("never routes %s", async (path) => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url], gateways: [api.url] });
    const response = await fetch(edge.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "Not found", message: "Not found" });
  });

  test("takes the apis in turn", async () => {
    const apis = [(await startUpstream(named("one"))).url, (await startUpstream(named("two"))).url];
    const edge = await edgeTo({ apis });
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push(await (await fetch(edge.url)).text());
    expect(answers.filter((name) => name === "one")).toHaveLength(2);
    expect(answers.filter((name) => name === "two")).toHaveLength(2);
  });

  test("sends a request, body and all, to another api when the first refuses the connection", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [await refusedUrl(), api.url] });
    for (let at = 0; at < 4; at += 1) {
      const response = await fetch(edge.url, { method: "POST", body: "a".repeat(300_000) });
      expect(await response.json()).toMatchObject({ method: "POST", bytes: 300_000 });
    }
  });

  test("never sends a request twice: an api that dies over it gives 502", async () => {
    let seen = 0;
    const dying = await startUpstream((request) => {
      seen += 1;
      request.socket.destroy();
    });
    const edge = await edgeTo({ apis: [dying.url, dying.url] });
    const response = await fetch(edge.url, { method: "POST", body: "x" });
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ error: "Bad gateway", message: "Bad gateway" });
    expect(seen).toBe(1);
  });

  test("cuts an answer short when the api dies in the middle of it", async () => {
    const dying = await startUpstream((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    const edge = await edgeTo({ apis: [dying.url] });
    await expect(fetch(edge.url).then((response) => response.text())).rejects.toThrow();
  });

  test("answers 503 when no api is up", async () => {
    const edge = await edgeTo({ apis: [await refusedUrl(), await refusedUrl()] });
    const response = await fetch(edge.url, { method: "POST", body: "x" });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: "Service unavailable", message: "Service unavailable" });
  });

  test("reads a request that offers HTTP/2 as the ordinary request it is, body included", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url] });
    const body = "b".repeat(200_000);
    const request = httpRequest(`${edge.url}/h2c`, {
      method: "POST",
      headers: { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABk" },
    });
    request.end(body);
    const [response] = await once(request, "response");
    const arrived = JSON.parse(await text(response));
    expect(arrived).toMatchObject({ url: "/h2c", method: "POST", bytes: body.length });
    expect(arrived.headers.upgrade).toBeUndefined();
  });
});

describe("edge: sockets", () => {
  test.each(["/ws?token=good", "/api/ws?token=good", "/ws/?token=good"])("connects %s to a gateway", async (path) => {
    const gateway = await startGateway();
    const edge = await edgeTo({ gateways: [gateway.url] });
    const socket = await openSocket(edge, path);
    socket.send("hello");
    const [data] = await once(socket, "message");
    expect(String(data)).toBe("hello");
    expect(gateway.requests[0]?.url).toBe(path);
    expect(gateway.requests[0]?.headers["x-forwarded-for"]).toBe("127.0.0.1");
  });

  test("gives a new socket to the gateway with the fewest", async () => {
    const gateways = [await startGateway(), await startGateway()];
    const edge = await edgeTo({ gateways: gateways.map(({ url }) => url) });
    for (let at = 0; at < 6; at += 1) await openSocket(edge);
    const full = gateways[0];
    expect(gateways.map(({ sockets }) => sockets.clients.size)).toEqual([3, 3]);
    for (const client of full?.sockets.clients ?? []) client.terminate();
    await waitUntil(() => full?.sockets.clients.size === 0);
    for (let at = 0; at < 3; at += 1) await openSocket(edge);
    expect(full?.sockets.clients.size).toBe(3);
  });

  test("skips a gateway that is down", async () => {
    const gateway = await startGateway();
    const edge = await edgeTo({ gateways: [await refusedUrl(), gateway.url] });
    for (let at = 0; at < 4; at += 1) await openSocket(edge);
    expect(gateway.sockets.clients.size).toBe(4);
  });

  test("passes a refused upgrade on, status and body", async () => {
    const gateway = await startGateway();
    const edge = await edgeTo({ gateways: [gateway.url] });
    const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/ws?token=bad`);
    const [, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(401);
    expect(await text(response)).toBe('{"error":"x"}');
  });

  test("answers 503 when no gateway is up, and 502 when it dies over the upgrade", async () => {
    const dying = await startUpstream(named("unused"));
    dying.server.on("upgrade", (_request, socket) => socket.destroy());
    const upgrade =
      "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n";
    const nobody = await exchangeRaw(await edgeTo({ gateways: [await refusedUrl()] }), upgrade);
    expect(nobody).toMatch(/^HTTP\/1.1 503 /);
    expect(nobody).toContain('{"error":"Service unavailable","message":"Service unavailable"}');
    const died = await exchangeRaw(await edgeTo({ gateways: [dying.url] }), upgrade);
    expect(died).toMatch(/^HTTP\/1.1 502 /);
    expect(died).toContain('{"error":"Bad gateway","message":"Bad gateway"}');
  });

  test("asks a gateway, not an api, about /ws without an upgrade", async () => {
    const gateway = await startGateway();
    const edge = await edgeTo({ gateways: [gateway.url] });
    const response = await fetch(`${edge.url}/ws`);
    expect(response.status).toBe(400);
    expect(await response.text()).toBe("upgrade required");
  });

  test("survives resets on either side, at any moment", async () => {
    const gateway = await startGateway();
    const api = await startUpstream(named("alive"));
    const edge = await edgeTo({ gateways: [gateway.url], apis: [api.url] });
    const fromClient = connect(edge.port, "127.0.0.1");
    fromClient.write("GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n");
    fromClient.write("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n", () =>
      fromClient.resetAndDestroy(),
    );
    const open = await openSocket(edge);
    const [serverSide] = [...gateway.sockets.clients];
    serverSide?.terminate();
    await once(open, "close");
    const halfRequest = connect(edge.port, "127.0.0.1");
    halfRequest.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf", () =>
      halfRequest.resetAndDestroy(),
    );
    await once(halfRequest, "close");
    expect(await (await fetch(edge.url)).text()).toBe("alive");
  });
});

describe("edge: slow and many connections", () => {
  const later = () => new Promise((resolve) => setTimeout(resolve, 20));

  /** Sends the head of a request slowly, line by line, and never ends it. @returns what came back until the close */
  async function dripHead(edge: Edge): Promise<string> {
    const socket = connect(edge.port, "127.0.0.1");
    socket.on("error", () => {});
    const answered = text(socket);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n");
    for (let line = 0; !socket.destroyed && !socket.readableEnded; line += 1) {
      if (socket.writable) socket.write(`X-${line}: 1\r\n`);
      await later();
    }
    return answered;
  }

  test("closes a request head that drips, but neither a long upload nor a socket that is silent as long", async () => {
    const api = await startUpstream(echo);
    const gateway = await startGateway();
    const timeouts = { headMs: 300, checkMs: 50 };
    const edge = await edgeTo({ apis: [api.url], gateways: [gateway.url], timeouts });
    const socket = await openSocket(edge);
    const upload = httpRequest(`${edge.url}/upload`, { method: "POST" });
    const answered = once(upload, "response");
    upload.write("first half, ");
    expect(await dripHead(edge)).toContain("Request took too long to arrive");
    upload.end("second half");
    const [response]: IncomingMessage[] = await answered;
    if (response === undefined) throw new Error("no answer");
    expect(Echoed.parse(JSON.parse(await text(response)))).toMatchObject({ bytes: 23 });
    socket.send("still here");
    expect(String((await once(socket, "message"))[0])).toBe("still here");
  });

  test("closes connections above the number that one address may have, until others have ended", async () => {
    const { url } = await startUpstream(named("api"));
    const edge = await edgeTo({ apis: [url], connectionsPerAddressMax: 2 });
    const held = [connect(edge.port, "127.0.0.1"), connect(edge.port, "127.0.0.1")];
    await Promise.all(held.map((socket) => once(socket, "connect")));
    const answer = () =>
      exchangeRaw(edge, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").catch(() => "closed");
    expect(["", "closed"]).toContain(await answer());
    held[0]?.destroy();
    await waitUntil(async () => (await answer()).endsWith("api"));
    held[1]?.destroy();
  });
});
