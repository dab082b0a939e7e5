import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { Probe } from "./probe.js";

/** An installation that takes connections and messages, or fails at one of them. */
async function startInstallation() {
  const fails = { connect: false, post: false, socket: false };
  const sockets = new Set<WebSocket>();
  const post = (content: string, response: ServerResponse) => {
    if (fails.post) return void response.writeHead(503).end();
    response.writeHead(201, { "content-type": "application/json" }).end('{"id":"1"}');
    if (fails.socket) return;
    for (const socket of sockets) socket.send(JSON.stringify({ op: "DISPATCH", t: "MESSAGE_CREATE", d: { content } }));
  };
  const server = createServer((request, response) => {
    if (request.method === "DELETE") return void response.writeHead(204).end();
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => post(JSON.parse(body).content, response));
  });
  const upgrades = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, stream, head) => {
    if (fails.connect) return void stream.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
    upgrades.handleUpgrade(request, stream, head, (socket) => {
      sockets.add(socket);
      socket.send('{"op":"DISPATCH","t":"READY","d":{}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const probe = new Probe({ url: `http://127.0.0.1:${port}`, token: "t", channelId: "c", timeoutMs: 300 });
  onTestFinished(() => probe.close());
  return { fails, probe };
}

test.each(["connect", "post", "socket"] as const)(
  "a probe says that it failed at the stage %s, and succeeds again afterwards",
  async (stage) => {
    const { fails, probe } = await startInstallation();
    if (stage !== "connect") expect(await probe.run()).toBeGreaterThan(0);
    fails[stage] = true;
    await expect(probe.run()).rejects.toMatchObject({ name: "ProbeError", stage });
    fails[stage] = false;
    expect(await probe.run()).toBeGreaterThan(0);
  },
);
