import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createLogger, createMetrics, type HttpServer, startHttpServer } from "@parley/service-runtime";
import { waitUntil } from "@parley/testing";
import express from "express";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { answerError } from "./error-mapping.js";
import { messageClasses } from "./message-classes.js";
import { requestId } from "./request-id.js";
import { ok, route } from "./route.js";
import { createRouter } from "./routing.js";
import { UnreadAnswers } from "./unread-answers.js";

const mebibyte = 1024 * 1024;
/** The operating system takes about three mebibytes of one; in the process it counts until all of it is taken. */
const answerBytes = 8 * mebibyte;
const large = "x".repeat(answerBytes);
const limits = {
  bytesMax: 200 * mebibyte,
  readerBytesMax: 20 * mebibyte,
  smallBytesMax: 64 * 1024,
  takenBytesMin: 64 * 1024,
  windowMs: 3_600_000,
  checkMs: 10,
};
const metrics = () => createMetrics();

let server: HttpServer;
let unread: UnreadAnswers;
const sockets: Socket[] = [];
let registry = metrics();

/** A server whose caller is the account that a request names, and whose only answer is a large one. */
async function listen(changes: Partial<typeof limits> = {}): Promise<void> {
  registry = metrics();
  unread = new UnreadAnswers(registry, { ...limits, ...changes });
  const app = express();
  app.use(requestId(createLogger({ service: "api", level: "silent", nodeId: "test" }), unread));
  const text = z.object({ text: z.string() });
  const declaration = { method: "get", path: "/large", name: "a.b", summary: "", caller: "account" } as const;
  const routes = [route({ ...declaration, success: ok(text) }, async () => ({ text: large }))];
  app.use(
    createRouter(routes, async (request) => {
      const account = { userId: String(request.headers.account), sessionId: null, sessionVersion: 0 };
      request.state.identity = { kind: "user", ...account, isAdmin: false, missingFactor: null, viaStaticToken: false };
      return true;
    }),
  );
  app.use(answerError);
  const classes = messageClasses(app, unread.wrote);
  server = await startHttpServer({ handler: app, classes, host: "127.0.0.1", port: 0, graceMs: 50 });
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  unread.close();
  await server.close();
});

/** A connection that asks for a large answer and reads nothing; resolves once the answer waits. */
async function ask(account: string): Promise<Socket> {
  const before = unread.bytes;
  const socket = await send(account);
  await waitUntil(() => unread.bytes >= before + answerBytes);
  return socket;
}

async function send(account: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: server.port });
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(`GET /large HTTP/1.1\r\nHost: a\r\nAccount: ${account}\r\n\r\n`);
  return socket;
}

const get = (account: string) => fetch(`${server.url}/large`, { headers: { account } });
const cut = async (reason: string) =>
  Number(new RegExp(`http_unread_answers_cut_total{reason="${reason}"} (\\d+)`).exec(await registry.text())?.[1] ?? 0);

test("a client that reads nothing gets no further answers, and everybody else does", async () => {
  await listen();
  for (let reader = 0; reader < 10; reader += 1) await ask(`reader ${reader}`);
  await ask("reader 0");
  expect(await registry.text()).toContain(`http_unread_answer_bytes ${unread.bytes}`);
  const refused = await get("reader 0");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  for (const account of ["bystander", "another"]) {
    const answer = await get(account);
    expect([answer.status, (await answer.text()).length > answerBytes]).toEqual([200, true]);
  }
  for (const socket of sockets) socket.destroy();
  await waitUntil(() => unread.bytes === 0);
  expect((await get("reader 0")).status).toBe(200);
});

test("a reader that takes nothing loses its connection, and one that takes little at a time does not", async () => {
  await listen({ windowMs: 3_000, takenBytesMin: 1 });
  const steady = await ask("steady");
  steady.on("readable", () => undefined);
  const reading = setInterval(() => steady.read(), 20);
  const idle = await ask("idle");
  await waitUntil(async () => (await cut("slow")) > 0);
  expect(steady.closed).toBe(false);
  idle.resume();
  await waitUntil(() => idle.closed);
  expect(await cut("slow")).toBe(1);
  clearInterval(reading);
});

test("where all readers together take too little, the one with most bytes loses its connection", async () => {
  await listen({ bytesMax: 30 * mebibyte, readerBytesMax: 100 * mebibyte });
  const modest = await ask("modest");
  const greedy = await ask("greedy");
  await ask("greedy");
  await send("greedy");
  await waitUntil(async () => (await cut("room")) === 1);
  greedy.resume();
  await waitUntil(() => greedy.closed);
  expect(modest.closed).toBe(false);
  const bystander = await get("bystander");
  expect([bystander.status, (await bystander.text()).length > answerBytes]).toEqual([200, true]);
  expect(unread.bytes).toBeGreaterThan(2 * answerBytes);
});
