import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { errorBody } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  closeAll,
  Echoed,
  echo,
  edgeTo,
  exchangeRaw,
  named,
  openSocket,
  refusedUrl,
  startGateway,
  startUpstream,
} from "./edge-fixture.js";

afterEach(closeAll);

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

  test("names the peer in X-Forwarded-For and drops the client's claim", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url] });
    const response = await fetch(edge.url, { headers: { "x-forwarded-for": "6.6.6.6", forwarded: "for=6.6.6.6" } });
    const { headers } = Echoed.parse(await response.json());
    expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(headers.forwarded).toBeUndefined();
    expect(headers["x-forwarded-proto"]).toBe("http");
  });

  test("continues X-Forwarded-For only when its settings trust it", async () => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url], trustForwarded: true });
    const response = await fetch(edge.url, { headers: { "x-forwarded-for": "6.6.6.6" } });
    expect(Echoed.parse(await response.json()).headers["x-forwarded-for"]).toBe("6.6.6.6, 127.0.0.1");
  });

  test.each(["/metrics", "/api/metrics", "/metrics/", "/metrics?x=1"])("the edge never routes %s", async (path) => {
    const api = await startUpstream(echo);
    const edge = await edgeTo({ apis: [api.url], gateways: [api.url] });
    const response = await fetch(edge.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(errorBody("Not found"));
  });

  test("the edge takes the apis in turn", async () => {
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

  test("never sends a request twice that may not be done twice: an api that dies over it gives 502", async () => {
    let seen = 0;
    const dying = await startUpstream((request) => {
      seen += 1;
      request.socket.destroy();
    });
    const edge = await edgeTo({ apis: [dying.url, dying.url] });
    const response = await fetch(edge.url, { method: "POST", body: "x" });
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual(errorBody("Bad gateway"));
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
    const edge = await edgeTo({ apis: [await refusedUrl(), await refusedUrl()], timeouts: { waitMs: 500 } });
    const response = await fetch(edge.url, { method: "POST", body: "x" });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual(errorBody("Service unavailable"));
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
  test.each(["/ws?token=good", "/api/ws?token=good", "/ws/?token=good"])(
    "the edge connects %s to a gateway",
    async (path) => {
      const gateway = await startGateway();
      const edge = await edgeTo({ gateways: [gateway.url] });
      const socket = await openSocket(edge, path);
      socket.send("hello");
      const [data] = await once(socket, "message");
      expect(String(data)).toBe("hello");
      expect(gateway.requests[0]?.url).toBe(path);
      expect(gateway.requests[0]?.headers["x-forwarded-for"]).toBe("127.0.0.1");
    },
  );

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
    expect(nobody).toContain('{"error":"Service unavailable","message":"Service unavailable","code":"unavailable"}');
    const died = await exchangeRaw(await edgeTo({ gateways: [dying.url] }), upgrade);
    expect(died).toMatch(/^HTTP\/1.1 502 /);
    expect(died).toContain('{"error":"Bad gateway","message":"Bad gateway","code":"bad_gateway"}');
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
