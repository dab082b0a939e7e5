import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { createServer } from "node:net";
import { startSilentServer, waitUntil } from "@parley/testing";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { checked } from "./connect.js";
import { addressFinder, dialingSocket } from "./dial.js";
import { isUnavailable } from "./errors.js";
import { dialTimeoutMs } from "./limits.js";
import { createPool } from "./pool.js";

const logger = { info: () => {}, warn: () => {} };

test("a connection that nobody accepts gives its place in the pool up, and the next one reaches a server that is back", async () => {
  const silent = await startSilentServer();
  onTestFinished(silent.end);
  const { port } = silent;
  const pool = createPool({
    url: `postgresql://parley@127.0.0.1:${port}/parley`,
    poolMax: 1,
    applicationName: "dial.test",
    statementTimeoutMs: 1_000,
    logger,
  });
  onTestFinished(() => pool.end());
  const refusal = await pool.connect().catch((error: unknown) => error);
  expect([String(refusal), isUnavailable(refusal)]).toEqual([`Error: connect ETIMEDOUT 127.0.0.1:${port}`, true]);

  await silent.end();
  const server = createServer((socket) => void socket.destroy()).listen(port, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  await expect(pool.connect()).rejects.toThrow("Connection terminated unexpectedly");
});

test.each([
  ["ETIMEDOUT", 3],
  ["ECONNREFUSED", 1],
])("a process that starts and whose connection ends with %s tries %d times", async (code, tries) => {
  let asked = 0;
  const ping = async () => {
    asked += 1;
    if (asked < 3) throw Object.assign(new Error("no connection"), { code });
  };
  const outcome = await checked({ ping, close: async () => {} }).then(
    () => "connected",
    () => "refused",
  );
  expect([asked, outcome]).toEqual([tries, tries === 3 ? "connected" : "refused"]);
});

test("a connection is kept whose process has no time for it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const socket = dialingSocket(async () => [{ address: "127.0.0.1", family: 4 }]);
  onTestFinished(() => void socket.destroy());
  socket.connect(typeof address === "object" ? (address?.port ?? 0) : 0, "postgres");
  const connected = once(socket, "connect");
  // The name is answered and the connection begins within these turns, before the process looks at its sockets. Timers that are
  // due after the wait run before that, too.
  for (let microtasks = 0; microtasks < 20; microtasks += 1) await null;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, dialTimeoutMs + 500);
  await connected;
});

test("a name whose lookup hangs is asked of the name servers, anew each time, and the system only once", async () => {
  const hanging = new Promise<LookupAddress[]>(() => {});
  const [asked, answers] = [[] as string[], [new Error("ENOTFOUND"), [{ address: "127.0.0.1", family: 4 }]]];
  const find = addressFinder({
    lookup: (host) => {
      asked.push(`system: ${host}`);
      return hanging;
    },
    resolve: async (host) => {
      asked.push(`servers: ${host}`);
      const answer = answers.shift();
      if (!Array.isArray(answer)) throw answer;
      return answer;
    },
  });
  void find("postgres");
  await waitUntil(() => asked.length === 2);
  expect(await find("postgres")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(asked).toEqual(["system: postgres", "servers: postgres", "servers: postgres"]);
});

test("a name is looked up by the system as long as it answers, and refused as it refuses", async () => {
  const find = addressFinder({
    lookup: async (host) => {
      if (host === "missing") throw Object.assign(new Error("getaddrinfo ENOTFOUND missing"), { code: "ENOTFOUND" });
      return [{ address: "::1", family: 6 }];
    },
    resolve: () => expect.unreachable("asks the name servers"),
  });
  expect(await find("postgres")).toEqual([{ address: "::1", family: 6 }]);
  await expect(find("missing")).rejects.toThrow("ENOTFOUND");
});

test("a client of pg connects by such a socket to a name", async () => {
  const server = createServer((socket) => void socket.destroy()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const names: string[] = [];
  const find = async (host: string) => {
    names.push(host);
    return [{ address: "127.0.0.1", family: 4 }];
  };
  const client = new pg.Client({ host: "postgres", port, user: "parley", stream: () => dialingSocket(find) });
  await expect(client.connect()).rejects.toThrow("Connection terminated unexpectedly");
  expect(names).toEqual(["postgres"]);
});
