import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { errorBody } from "@parley/contracts";
import { findFreePort } from "@parley/local-stack";
import { runContext, startSilentServer, waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);

describe.skipIf(program === null)("a request that no api answers", () => {
  const waitMs = 250;
  let nginx: NginxEdge;
  let ports: number[];
  const servers: Server[] = [];
  // Where the test's own lines begin.
  let [logBegin, waitsBegin] = [0, 0];
  beforeAll(async () => {
    ports = [await findFreePort(), await findFreePort()];
    const apis = ports.map((port) => `http://127.0.0.1:${port}`);
    nginx = await startNginx({ program: program ?? "", apis, gateways: apis, waitMs });
  });
  afterAll(() => nginx?.stop());
  beforeEach(async () => {
    [logBegin, waitsBegin] = [(await nginx.accessLog()).length, (await nginx.waits()).length];
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function listen(listener: RequestListener, on = ports): Promise<void> {
    for (const port of on) {
      const server = createServer(listener);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    }
  }
  const ask = async (method: string, path: string, body: string) => {
    const answer = await fetch(`${nginx.url}${path}`, { method, body: method === "GET" ? null : body });
    return { status: answer.status, body: await answer.json() };
  };
  /** The starts of the one request with this path, each with the addresses that were tried. */
  const starts = async (path: string): Promise<string[]> => {
    const line = await waitUntil(async () =>
      (await nginx.accessLog())
        .slice(logBegin)
        .split("\n")
        .find((entry) => entry.includes(`"path":"${path}"`)),
    );
    return /"upstream":"([^"]*)"/.exec(line)?.[1]?.split(" : ") ?? [];
  };
  const echo: RequestListener = async (request, response) =>
    response.end(JSON.stringify(`${request.method} ${await text(request)}`));
  const failed = { status: 502, body: errorBody("Bad gateway") };
  const withNonce = '{"content":"\\"nonce\\":{\\\\","nonce":"n1"}';

  test.each([
    ["GET", "/servers", ""],
    ["POST", "/servers", '{"name":"a"}'],
    ["DELETE", "/api/servers/1", ""],
  ])("waits for an api while nobody can be reached: %s %s", async (method, path, body) => {
    const answer = ask(method, path, body);
    await waitUntil(async () => (await nginx.waits()).length >= waitsBegin + 2, {
      what: "the request to wait a second time",
    });
    await listen(echo, ports.slice(1));
    expect(await answer).toEqual({ status: 200, body: `${method} ${body}` });
    expect((await starts(path)).length).toBeGreaterThan(2);
  });

  test("fails when nobody could be reached for as long as it waits", async () => {
    const began = Date.now();
    expect(await ask("POST", "/servers", "{}")).toEqual(failed);
    expect(await starts("/servers")).toHaveLength(9);
    expect(Date.now() - began).toBeGreaterThan(7 * waitMs);
    // Longer together than an api takes for its start, and shorter than clients wait for an answer.
    const pauses = (await nginx.waits()).slice(waitsBegin).map((path) => path.slice(1));
    expect(pauses).toEqual(["500ms", "500ms", "1s", "1500ms", "2500ms", "4s", "6s", "9s"]);
    const file = await readFile(join(runContext().root, "deploy", "nginx", "repeat.conf"), "utf8");
    const times = [...file.matchAll(/location = \/(\S+) \{ client_body_timeout (\S+);/g)];
    expect(times.map(([, name]) => name)).toEqual([...new Set(pauses)]);
    expect(times.filter(([, name, time]) => name !== time)).toEqual([]);
  });

  test.each([
    ["GET", "/servers", ""],
    ["POST", "/channels/1/messages", withNonce],
    ["POST", "/api/channels/1/messages/2/thread", withNonce],
    ["POST", "/channels/1/polls", '{"question":"q","options":["a","b"],"nonce":"n1"}'],
    ["POST", "/dm-channels/1/messages/", ` {"nonce" : "n1", "content":"${"é".repeat(20_000)}"}`],
  ])("is repeated after both apis died over it, as it may be done twice: %s %s", async (method, path, body) => {
    let seen = 0;
    const dyingOnce: RequestListener = (request, response) => {
      seen += 1;
      if (seen <= 2) request.socket.destroy();
      else void echo(request, response);
    };
    await listen(dyingOnce);
    expect(await ask(method, path, body)).toEqual({ status: 200, body: `${method} ${body}` });
    expect(seen).toBe(3);
  });

  test.each([
    ["POST", "/servers", '{"nonce":"n1"}'],
    ["PATCH", "/channels/1/messages/2", withNonce],
    ["POST", "/channels/1/messages", '{"content":"nonce"}'],
    ["POST", "/channels/1/messages", '{"content":"\\"nonce\\":\\"n1\\""}'],
    ["POST", "/channels/1/messages", '{"content":"a","nonce":null}'],
    ["POST", "/channels/1/messages", '{"content":"a","more":{"nonce":"n1"}}'],
    ["POST", "/messages/1/attachments", withNonce],
    ["POST", "/hooks/1/token", withNonce],
  ])("is not repeated after an api has seen it, as it could be done twice: %s %s %s", async (method, path, body) => {
    let seen = 0;
    await listen((request) => {
      seen += 1;
      request.socket.destroy();
    });
    expect([await ask(method, path, body), seen]).toEqual([failed, 1]);
  });

  test("is repeated after an api died over it and another one accepted no connection in time", async () => {
    const silent = await startSilentServer();
    const [port = 0] = ports;
    const apis = [port, silent.port].map((each) => `http://127.0.0.1:${each}`);
    const other = await startNginx({ program: program ?? "", apis, gateways: apis, waitMs });
    try {
      const seen = new Set<string>();
      const dyingOnce: RequestListener = (request, response) => {
        if (seen.has(request.url ?? "")) return void echo(request, response);
        seen.add(request.url ?? "");
        request.socket.destroy();
      };
      await listen(dyingOnce, [port]);
      // Every second one begins at the api that dies.
      for (const path of ["/one", "/two", "/three", "/four"]) {
        expect([path, (await fetch(`${other.url}${path}`)).status]).toEqual([path, 200]);
      }
      expect(await other.accessLog()).toMatch(/"upstream_status":"502, 504 : /);
    } finally {
      await other.stop();
      await silent.end();
    }
  });

  test("reaches four apis at most when it ends each of them", async () => {
    let seen = 0;
    await listen((request) => {
      seen += 1;
      request.socket.destroy();
    });
    expect([await ask("GET", "/servers", ""), seen]).toEqual([failed, 4]);
  });

  test.each([
    ["POST", "/messages/1/attachments"],
    ["POST", "/api/servers/1/emojis"],
    ["POST", "/users/@me/avatar"],
    ["GET", "/ws"],
    ["GET", "/api/ws"],
  ])("does not wait as an upload or a WebSocket: %s %s", async (method, path) => {
    expect(await ask(method, path, "{}")).toEqual(failed);
    expect(await starts(path)).toHaveLength(1);
  });
});
