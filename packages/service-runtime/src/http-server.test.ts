import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { ListenError, startHttpServer } from "./http-server.js";

const host = "127.0.0.1";

async function answerOf(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = await once(get(url, { agent }), "response");
  return response;
}

describe("startHttpServer", () => {
  it("says in one sentence that a port is in use", async () => {
    const first = await startHttpServer({ handler: () => {}, host, port: 0 });
    const second = startHttpServer({ handler: () => {}, host, port: first.port });
    await expect(second).rejects.toThrow(new ListenError(`Port ${first.port} on 127.0.0.1 is already in use.`));
    await first.close();
  });

  it("says in one sentence that the address is not ours", async () => {
    const starting = startHttpServer({ handler: () => {}, host: "203.0.113.7", port: 0 });
    await expect(starting).rejects.toThrow(new ListenError("203.0.113.7 is not an address of this machine."));
  });

  it("closes soon although a kept-alive connection is idle", async () => {
    const agent = new Agent({ keepAlive: true });
    const listening = await startHttpServer({ handler: (_, response) => response.end("ok"), host, port: 0 });
    const response = await answerOf(listening.url, agent);
    response.resume();
    await once(response, "end");
    const startedAt = performance.now();
    await listening.close();
    expect(performance.now() - startedAt).toBeLessThan(1000);
    agent.destroy();
  });

  it("answers what a proxy sends on a kept connection while it closes, and tells it to let go", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const listening = await startHttpServer({ handler: (_, response) => response.end("ok"), host, port: 0 });
    const first = await answerOf(listening.url, agent);
    expect(first.headers.connection).toBe("keep-alive");
    await first.toArray();
    const closing = listening.close();
    const second = await answerOf(listening.url, agent);
    expect([second.statusCode, second.headers.connection]).toEqual([200, "close"]);
    await second.toArray();
    await closing;
    agent.destroy();
  });

  it("finishes the request in flight before it has closed, then drops its connection", async () => {
    const agent = new Agent({ keepAlive: true });
    let finish = () => {};
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const handler = (_request: IncomingMessage, response: ServerResponse) => {
      finish = () => response.end("late");
      arrive();
    };
    const listening = await startHttpServer({ handler, host, port: 0 });
    const answering = answerOf(listening.url, agent);
    await arrived;
    let closed = false;
    const startedAt = performance.now();
    const closing = listening.close().then(() => {
      closed = true;
    });
    await expect(fetch(listening.url)).rejects.toThrow();
    expect(closed).toBe(false);
    finish();
    const response = await answering;
    expect(await response.setEncoding("utf8").toArray()).toEqual(["late"]);
    await closing;
    expect(performance.now() - startedAt).toBeLessThan(2000);
    agent.destroy();
  });

  it("cuts a request that outlives the grace", async () => {
    let arrived = () => {};
    const arriving = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const listening = await startHttpServer({ handler: () => arrived(), host, port: 0, graceMs: 50 });
    const cut = expect(fetch(listening.url)).rejects.toThrow();
    await arriving;
    await listening.close();
    await cut;
  });

  it("answers bytes that are not HTTP with 400 JSON", async () => {
    const listening = await startHttpServer({ handler: (_, response) => response.end(), host, port: 0 });
    const socket = connect(listening.port, host);
    socket.end("nonsense\r\n\r\n");
    const answer = (await socket.setEncoding("utf8").toArray()).join("");
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":"Malformed request","message":"Malformed request"}');
    await listening.close();
  });

  it("answers requests that offer another protocol, which it does not take", async () => {
    const listening = await startHttpServer({
      handler: (request, response) => response.end(request.url),
      host,
      port: 0,
    });
    for (const protocol of ["websocket", "h2c"]) {
      const socket = connect(listening.port, host);
      socket.write(`GET /plain HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`);
      const answer = (await socket.setEncoding("utf8").toArray()).join("");
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).toMatch(/\r\n\r\n\/plain$/);
    }
    await listening.close();
  });
});
