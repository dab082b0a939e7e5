import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGate } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { type HttpServer, ListenError, startHttpServer } from "./http-server.js";

const host = "127.0.0.1";

async function answerOf(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = await once(get(url, { agent }), "response");
  return response;
}

/** The listener closes once nothing waits to be accepted, so not at once. */
async function untilNotListening({ server }: HttpServer): Promise<void> {
  while (server.listening) await nextTurn();
}

/** Longer than a test may take: a server that waits for its end never closes. */
const graceMs = 3_600_000;

describe("startHttpServer", () => {
  test("startHttpServer says in one sentence that a port is in use", async () => {
    const first = await startHttpServer({ handler: () => {}, host, port: 0 });
    const second = startHttpServer({ handler: () => {}, host, port: first.port });
    await expect(second).rejects.toThrow(new ListenError(`Port ${first.port} on 127.0.0.1 is already in use.`));
    await first.close();
  });

  test("startHttpServer says in one sentence that the address is not ours", async () => {
    const starting = startHttpServer({ handler: () => {}, host: "203.0.113.7", port: 0 });
    await expect(starting).rejects.toThrow(new ListenError("203.0.113.7 is not an address of this machine."));
  });

  test("startHttpServer closes soon although a kept-alive connection is idle", async () => {
    const agent = new Agent({ keepAlive: true });
    const listening = await startHttpServer({ handler: (_, response) => response.end("ok"), host, port: 0, graceMs });
    const response = await answerOf(listening.url, agent);
    response.resume();
    await once(response, "end");
    await listening.close();
    agent.destroy();
  });

  test("startHttpServer answers requests of a proxy on a kept connection while it closes, and asks it to close", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const listening = await startHttpServer({ handler: (_, response) => response.end("ok"), host, port: 0 });
    const first = await answerOf(listening.url, agent);
    expect(first.headers.connection).toBe("keep-alive");
    await first.toArray();
    const closing = listening.close();
    await untilNotListening(listening);
    const second = await answerOf(listening.url, agent);
    expect([second.statusCode, second.headers.connection]).toEqual([200, "close"]);
    await second.toArray();
    await closing;
    agent.destroy();
  });

  test("startHttpServer finishes the request in flight before it has closed, then drops its connection", async () => {
    const agent = new Agent({ keepAlive: true });
    let finish = () => {};
    const arrived = createGate();
    const handler = (_request: IncomingMessage, response: ServerResponse) => {
      finish = () => response.end("late");
      arrived.open();
    };
    const listening = await startHttpServer({ handler, host, port: 0, graceMs });
    const answering = answerOf(listening.url, agent);
    await arrived.opened;
    let closed = false;
    const closing = listening.close().then(() => {
      closed = true;
    });
    await untilNotListening(listening);
    await expect(fetch(listening.url)).rejects.toThrow();
    expect(closed).toBe(false);
    finish();
    const response = await answering;
    expect(response.headers.connection).toBe("close");
    expect(await response.setEncoding("utf8").toArray()).toEqual(["late"]);
    await closing;
    agent.destroy();
  });

  test("startHttpServer takes another request on a connection whose answer had begun before it closes", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let first: ServerResponse | undefined;
    const handler = (_request: IncomingMessage, response: ServerResponse) => {
      if (first === undefined) {
        first = response;
        response.write("begun, ");
      } else response.end("next");
    };
    const listening = await startHttpServer({ handler, host, port: 0 });
    const download = await answerOf(listening.url, agent);
    const closing = listening.close();
    await untilNotListening(listening);
    first?.end("ended");
    expect((await download.toArray()).join("")).toBe("begun, ended");
    const next = await answerOf(listening.url, agent);
    expect([(await next.toArray()).join(""), next.headers.connection]).toEqual(["next", "close"]);
    await closing;
    agent.destroy();
  });

  test("startHttpServer loses none of the connections that wait to be accepted when it closes", async () => {
    const listening = await startHttpServer({ handler: (_, response) => response.end("ok"), host, port: 0 });
    const answers: Promise<string>[] = [];
    const connected: Promise<unknown>[] = [];
    for (let at = 0; at < 40; at += 1) {
      const socket = connect(listening.port, host);
      connected.push(once(socket, "connect"));
      socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      answers.push(
        socket
          .setEncoding("utf8")
          .toArray()
          .then((parts) => parts.join("")),
      );
    }
    // The kernel has completed them all, and one has been accepted at most.
    await Promise.race(connected);
    await listening.close();
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test("startHttpServer cuts a request that outlives the grace", async () => {
    const arrived = createGate();
    const listening = await startHttpServer({ handler: () => arrived.open(), host, port: 0, graceMs: 50 });
    const cut = expect(fetch(listening.url)).rejects.toThrow();
    await arrived.opened;
    await listening.close();
    await cut;
  });

  test("startHttpServer answers bytes that are not HTTP with 400 JSON", async () => {
    const listening = await startHttpServer({ handler: (_, response) => response.end(), host, port: 0 });
    const socket = connect(listening.port, host);
    socket.end("nonsense\r\n\r\n");
    const answer = (await socket.setEncoding("utf8").toArray()).join("");
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":"Malformed request","message":"Malformed request","code":"malformed_request"}');
    await listening.close();
  });

  test("startHttpServer answers requests that offer another protocol, which it does not take", async () => {
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
