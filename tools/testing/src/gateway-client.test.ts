import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createFrameCheck } from "./frame-check.js";
import { connectGateway, type GatewayClient } from "./gateway-client.js";

const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const deletion = (number: number) => ({ id: id(number), channel_id: id(0) });
const dispatch = (t: string, d: unknown) => JSON.stringify({ op: "DISPATCH", t, d });

const problems: (string | null)[] = [];
const check = createFrameCheck();

describe("gateway client", () => {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket, head) => {
    if (!request.url?.startsWith("/ws?token=good")) {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 13\r\n\r\n{"error":"x"}');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted, request));
  });
  let client: GatewayClient;
  let server: WebSocket;

  function connect(token: string): GatewayClient {
    const address = http.address();
    if (address === null || typeof address === "string") throw new Error("not listening on a port");
    return connectGateway(`http://127.0.0.1:${address.port}`, token, {
      onFrame: (frame) => problems.push(check(frame)),
    });
  }

  beforeEach(async () => {
    problems.length = 0;
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    client = connect("good");
    [server] = await once(sockets, "connection");
    server.on("message", (data) => {
      if (String(data).includes("HEARTBEAT")) server.send('{"op":"HEARTBEAT_ACK","t":null,"d":null}');
    });
  });
  afterEach(async () => {
    client.terminate();
    await new Promise((resolve) => http.close(resolve));
  });

  test("gateway client finds an event that came before the wait, and one that comes after it", async () => {
    server.send(dispatch("MESSAGE_DELETE", deletion(1)));
    await client.heartbeat();
    expect(await client.waitFor("MESSAGE_DELETE")).toEqual(deletion(1));
    const later = client.waitFor("MESSAGE_DELETE", (payload) => payload.id === id(2));
    server.send(dispatch("MESSAGE_DELETE", deletion(2)));
    expect(await later).toEqual(deletion(2));
  });

  test("gateway client passes over what came before the mark", async () => {
    server.send(dispatch("MESSAGE_DELETE", deletion(1)));
    await client.heartbeat();
    const since = client.mark();
    const next = client.waitFor("MESSAGE_DELETE", undefined, { since });
    server.send(dispatch("MESSAGE_DELETE", deletion(2)));
    expect(await next).toEqual(deletion(2));
  });

  test("gateway client shows fields that the contract does not know, and rejects payloads that break it", async () => {
    server.send(dispatch("MESSAGE_DELETE", { ...deletion(1), extra: true }));
    expect(await client.waitFor("MESSAGE_DELETE")).toEqual({ ...deletion(1), extra: true });
    server.send(dispatch("INVITE_DELETE", { server_id: 5 }));
    await expect(client.waitFor("INVITE_DELETE")).rejects.toThrow("The payload of INVITE_DELETE breaks the contract");
    expect(problems).toEqual([
      expect.stringContaining("must NOT have additional properties"),
      expect.stringContaining("must have required property 'invite_id'"),
    ]);
  });

  test("gateway client says what it got instead when it waited in vain or the connection ended", async () => {
    server.send(dispatch("MESSAGE_DELETE", deletion(1)));
    await client.heartbeat();
    await expect(client.waitFor("ROLE_DELETE", undefined, { timeoutMs: 10 })).rejects.toThrow(
      "No matching ROLE_DELETE: waited 10 ms; got MESSAGE_DELETE.",
    );
    const waiting = client.waitFor("ROLE_DELETE");
    server.close(1001);
    await expect(waiting).rejects.toThrow("closed with 1001");
    expect(await client.closed).toEqual({ code: 1001, reason: "" });
    await expect(client.ready).rejects.toThrow("ended before READY");
  });

  test("gateway client notices an event that should not have come by the time the barrier has passed", async () => {
    await client.expectNone("MESSAGE_DELETE");
    server.send(dispatch("MESSAGE_DELETE", deletion(1)));
    await expect(client.expectNone("MESSAGE_DELETE")).rejects.toThrow("Unexpected MESSAGE_DELETE");
    await client.expectNone("MESSAGE_DELETE", (payload) => payload.id === id(2));
  });

  test("gateway client reports the answer to a refused upgrade", async () => {
    const refused = connect("bad");
    expect(await refused.rejected).toEqual({ status: 401, body: '{"error":"x"}' });
    await expect(refused.ready).rejects.toThrow("answered 401");
  });
});
