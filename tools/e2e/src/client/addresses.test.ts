import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, type Gateway, type GatewayEvents } from "@parley/client";
import { readyFrame, type SharedStack, sharedStack, startLoopbackGateway, waitUntil } from "@parley/testing";
import { afterEach, beforeAll, expect, test } from "vitest";

const backoff = { baseMs: 5, maxMs: 20 };
let stack: SharedStack;
const gateways: Gateway[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  stack = await sharedStack();
});
afterEach(() => {
  for (const gateway of gateways.splice(0)) gateway.close();
  for (const server of servers.splice(0)) server.close();
});

function gatewayOf(baseUrl: string): Gateway {
  const gateway = createClient({ baseUrl, botToken: "0".repeat(64) }).gateway({ backoff });
  gateways.push(gateway);
  return gateway;
}

/** A server on this machine that is none of Parley. */
async function startOther(status: number, headers: Record<string, string>, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  return `127.0.0.1:${port}`;
}

test("connect ends with what there is, where there is no Parley server", async () => {
  const html = { "content-type": "text/html" };
  const page = await startOther(200, html, "<html></html>");
  const missing = await startOther(404, html, "<html></html>");
  const moved = await startOther(301, { location: "https://chat.example.com/" }, "");
  const refusals: [string, string][] = [
    [`${stack.edgeUrl}/app`, `There is no Parley server at ${stack.edgeUrl}/app`],
    [`${stack.edgeUrl}/unknown/path`, `There is no Parley server at ${stack.edgeUrl}/unknown/path`],
    [`http://${page}`, `There is no Parley server at http://${page} `],
    [`http://${missing}`, `There is no Parley server at http://${missing} `],
    [`http://${moved}`, "https://chat.example.com/"],
    [`https://${page}`, `No secure connection to https://${page} (is it http?)`],
  ];
  for (const [baseUrl, text] of refusals) {
    await expect(gatewayOf(baseUrl).connect({ timeoutMs: 10_000 }), baseUrl).rejects.toMatchObject({
      name: "ParleyError",
      text: expect.stringContaining(text),
    });
  }
});

test("while the server is away, disconnect has the reason, and connect ends where its time does", async () => {
  const host = await startOther(503, {}, "");
  const [down] = servers.splice(0);
  down?.close();
  const unknown = gatewayOf("http://parley.invalid");
  const causes: (string | undefined)[] = [];
  const trying = [gatewayOf(`http://${host}`), unknown].map(async (gateway) => {
    gateway.on("disconnect", ({ code, wasOpen, cause }) => {
      if (code === 1006 && !wasOpen) causes.push(cause?.message);
    });
    await expect(gateway.connect({ timeoutMs: 3_000 })).rejects.toMatchObject({
      text: expect.stringMatching(/^No connection within 3000 ms: .*(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)/),
    });
  });
  await Promise.all(trying);
  expect(causes.join()).toContain(`connect ECONNREFUSED ${host}`);
  expect(causes.join()).toMatch(/getaddrinfo (ENOTFOUND|EAI_AGAIN) parley\.invalid/);
});

test("a page that a proxy shows for a while does not end a connection that has worked", async () => {
  const parley = await startLoopbackGateway((socket) => socket.send(readyFrame()));
  const gateway = gatewayOf(parley.url);
  const ends: GatewayEvents["disconnect"][] = [];
  gateway.on("disconnect", (end) => ends.push(end));
  const closed: unknown[] = [];
  gateway.on("close", (error) => closed.push(error));
  await gateway.connect();
  await parley.close();
  const page = createServer((_, response) => response.writeHead(404, { "content-type": "text/html" }).end("<html>"));
  servers.push(page.listen(parley.port, "127.0.0.1"));
  await waitUntil(() => ends.some(({ cause }) => cause?.message.includes("There is no Parley server")));
  page.closeAllConnections();
  await new Promise((resolve) => page.close(resolve));
  const back = await startLoopbackGateway((socket) => socket.send(readyFrame()), parley.port);
  const again = await new Promise((resolve) => gateway.once("READY", resolve));
  expect(again).toMatchObject({ user: { username: "bot" } });
  expect(closed).toEqual([]);
  gateway.close();
  await back.close();
});

test("connect that is not awaited is no unhandled rejection when the gateway is closed", async () => {
  const unhandled: unknown[] = [];
  const keep = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", keep);
  try {
    const gateway = gatewayOf("http://127.0.0.1:9");
    void gateway.connect();
    await new Promise((resolve) => gateway.once("disconnect", resolve));
    gateway.close();
    // Node.js reports after the microtasks of a turn.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", keep);
  }
});

test("listeners: once, off, any event with its position, and one place for their errors", async () => {
  const frame = (s: string) =>
    JSON.stringify({ op: "DISPATCH", t: "MESSAGE_DELETE", s, d: { id: s, channel_id: "c" } });
  const server = await startLoopbackGateway((socket) => {
    for (const text of [readyFrame("1"), frame("2"), frame("3"), frame("4")]) socket.send(text);
  });
  const lines: string[] = [];
  const client = createClient({ baseUrl: server.url, botToken: "bot" });
  const gateway = client.gateway({ backoff, log: (line) => lines.push(line) });
  gateways.push(gateway);
  const heard: string[] = [];
  const errors: unknown[] = [];
  const never = ({ id }: { id: string }) => heard.push(`never ${id}`);
  gateway.on("MESSAGE_DELETE", never);
  gateway.off("MESSAGE_DELETE", never);
  gateway.once("MESSAGE_DELETE", ({ id }) => heard.push(`once ${id}`));
  gateway.onAny(({ name, position }) => heard.push(`${name} ${position}`));
  gateway.on("error", ({ error, name }) => errors.push([String(error), name]));
  gateway.on("MESSAGE_DELETE", async ({ id }) => {
    if (id === "2") throw new Error("rejected");
  });
  gateway.on("MESSAGE_DELETE", ({ id }, { position }) => {
    if (id === "3") throw new Error(`thrown at ${position}`);
  });
  const { servers: none } = await gateway.connect();
  expect(none).toEqual([]);
  await waitUntil(() => heard.length === 5);
  const deletions = ["MESSAGE_DELETE 2", "once 2", "MESSAGE_DELETE 3", "MESSAGE_DELETE 4"];
  expect(heard).toEqual(["READY 1", ...deletions]);
  expect(errors.toSorted()).toEqual([
    ["Error: rejected", "MESSAGE_DELETE"],
    ["Error: thrown at 3", "MESSAGE_DELETE"],
  ]);
  expect(() => gateway.startTyping("c")).toThrow("The gateway takes no TYPING_START from a bot");
  gateway.close();
  expect(lines).toEqual(["Connected", "Closed"]);
  await server.close();
});
