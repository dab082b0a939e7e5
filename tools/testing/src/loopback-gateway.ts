import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawData, type WebSocket, WebSocketServer } from "ws";

const user = { id: "0190aaaa-0000-7000-8000-000000000001", username: "bot" };
const ready = { user, servers: [], dm_channels: [], unread_counts: [], mention_counts: [], server_roles: {} };

/** READY as a server sends it. */
export const readyFrame = (position = "1", extra: object = {}) =>
  JSON.stringify({ op: "DISPATCH", t: "READY", s: position, d: { ...ready, ...extra } });

/** A server on this machine that speaks the gateway's protocol as far as a test says, and sends anything at all. */
export async function startLoopbackGateway(
  onConnection: (socket: WebSocket, query: URLSearchParams) => void,
  listenOn = 0,
) {
  let connections = 0;
  const server = createServer((request, response) => {
    const isConnect = request.url === "/api/bots/connect";
    response.writeHead(isConnect ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isConnect ? { access_token: "token" } : { error: "Not found" }));
  });
  const sockets = new WebSocketServer({ server, path: "/ws" });
  sockets.on("connection", (socket, request) => {
    connections += 1;
    // A client may end its side in any way.
    socket.on("error", () => undefined);
    socket.on("message", (data: RawData) => {
      if (String(data).includes("HEARTBEAT")) socket.send('{"op":"HEARTBEAT_ACK","t":null,"d":null}');
    });
    onConnection(socket, new URL(request.url ?? "", "http://localhost").searchParams);
  });
  await new Promise<void>((resolve) => server.listen(listenOn, "127.0.0.1", resolve));
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
