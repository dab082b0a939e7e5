import { createServer, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { errorBody } from "@parley/contracts";
import { findFreePort } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);

describe.skipIf(program === null)("a request that no api answers", () => {
  let nginx: NginxEdge;
  let ports: number[];
  const servers: Server[] = [];
  // Where the test's own lines begin.
  let [logBegin, waitsBegin] = [0, 0];
  beforeAll(async () => {
    ports = [await findFreePort(), await findFreePort()];
    const apis = ports.map((port) => `http://127.0.0.1:${port}`);
    nginx = await startNginx({ program: program ?? "", apis, gateways: apis });
  });
  afterAll(() => nginx?.stop());
  beforeEach(async () => {
    [logBegin, waitsBegin] = [(await nginx.accessLog()).length, await nginx.waits()];
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
    await waitUntil(async () => (await nginx.waits()) >= waitsBegin + 2, { what: "the request to wait a second time" });
    await listen(echo, ports.slice(1));
    expect(await answer).toEqual({ status: 200, body: `${method} ${body}` });
    expect((await starts(path)).length).toBeGreaterThan(2);
  });

  test("fails when nobody could be reached for as long as it waits", async () => {
    const began = Date.now();
    expect(await ask("POST", "/servers", "{}")).toEqual(failed);
    expect(await starts("/servers")).toHaveLength(9);
    expect(Date.now() - began).toBeGreaterThan(4_000);
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
