import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { waitUntil } from "@parley/testing";
import { afterEach, describe, expect, test } from "vitest";
import { startHttpServer } from "./http-server.js";
import { allowSlowBody } from "./unfinished-requests.js";

const host = "127.0.0.1";
type Options = Partial<Parameters<typeof startHttpServer>[0]>;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Answers "ok" once the whole request is there; `slow` requests may take their time. */
const answerWhole: RequestListener = (request, response) => {
  if (request.url === "/slow") allowSlowBody(request);
  request.resume();
  request.once("end", () => response.end("ok"));
};

async function start(options: Options) {
  const listening = await startHttpServer({ handler: answerWhole, host, port: 0, graceMs: 50, ...options });
  cleanups.push(() => listening.close());
  /** Opens a socket that sends this and collects the answer; `closed` once the server has ended it. */
  return (text: string) => {
    const socket: Socket = connect(listening.port, host);
    const found = { received: "", closed: false, socket };
    socket.setEncoding("utf8");
    socket.on("data", (part) => {
      found.received += part;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      found.closed = true;
    });
    socket.write(text);
    cleanups.push(() => socket.destroy());
    return found;
  };
}

const unfinishedBody = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf`;
const tooSlow =
  '{"error":"Request took too long to arrive","message":"Request took too long to arrive","code":"request_too_slow"}';

describe("a request that does not arrive", () => {
  test("a request that does not arrive is answered with 400 and its connection closed: heads, bodies of known length and in chunks", async () => {
    const send = await start({ timeouts: { headMs: 100, bodyMs: 200, checkMs: 20 } });
    const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n";
    const sockets = ["GET / HTTP/1.1\r\nHost: a\r\nX-Half", unfinishedBody("/"), chunked].map(send);
    await waitUntil(() => sockets.every(({ closed }) => closed));
    for (const { received } of sockets) {
      expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(received).toContain("Content-Type: application/json; charset=utf-8\r\n");
      expect(received.endsWith(tooSlow)).toBe(true);
    }
  });

  test("a request that does not arrive has as long as it takes when it may be slow, up to the limit of all", async () => {
    const send = await start({ timeouts: { headMs: 100, bodyMs: 50, checkMs: 20 } });
    const [slow, usual] = [send(unfinishedBody("/slow")), send(unfinishedBody("/"))];
    await waitUntil(() => usual.closed);
    expect(slow.closed).toBe(false);
    slow.socket.write("halves");
    await waitUntil(() => slow.received.endsWith("ok"));

    const strict = await start({ timeouts: { headMs: 50, bodyMs: 50, wholeMs: 100, checkMs: 20 } });
    const endless = strict(unfinishedBody("/slow"));
    await waitUntil(() => endless.closed);
    expect(endless.received.endsWith(tooSlow)).toBe(true);
  });

  test("a request that does not arrive does not keep a connection that goes on afterwards from being used", async () => {
    const send = await start({ timeouts: { bodyMs: 200, checkMs: 20 } });
    const kept = send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok");
    await waitUntil(() => kept.received.includes("ok"));
    const late = send(unfinishedBody("/"));
    await waitUntil(() => late.closed);
    kept.socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await waitUntil(() => kept.received.split("HTTP/1.1 200").length === 3);
    expect(kept.closed).toBe(false);
  });

  test("a request that does not arrive gives way to others when there are too many of them, the oldest first; slow ones are not counted", async () => {
    const send = await start({ unfinishedConnectionsMax: 10 });
    const upload = send(unfinishedBody("/slow"));
    const used = send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await waitUntil(() => used.received.includes("ok"));
    const sockets: ReturnType<typeof send>[] = [];
    for (let n = 0; n < 25; n += 1) {
      const opened = send(n % 2 === 0 ? "GET / HTTP/1.1\r\n" : unfinishedBody("/"));
      await waitUntil(() => opened.socket.readyState !== "opening");
      sockets.push(opened);
    }
    await waitUntil(() => sockets.filter(({ closed }) => closed).length === 15);
    expect(sockets.slice(0, 15).every(({ closed }) => closed)).toBe(true);
    const fresh = send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await waitUntil(() => fresh.received.includes("ok"));
    expect([upload.closed, used.closed]).toEqual([false, false]);
  });
});
