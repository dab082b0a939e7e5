import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { findFreePort } from "../ports.js";
import { type Edge, startEdge } from "./edge.js";

/** Closes the servers and sockets that a test has opened. */
export const closers: (() => Promise<unknown> | unknown)[] = [];

export async function startUpstream(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: urlOf(server), server };
}

export function urlOf(server: Server): string {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return `http://127.0.0.1:${address.port}`;
}

/** Answers with the request as it arrived. */
export const echo: RequestListener = async (request, response) => {
  const body = await text(request);
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({ url: request.url, method: request.method, headers: request.headers, bytes: body.length }),
  );
};

export const Echoed = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  bytes: z.int(),
});

export const named =
  (name: string): RequestListener =>
  (_request, response) => {
    response.end(name);
  };

export async function refusedUrl(): Promise<string> {
  return `http://127.0.0.1:${await findFreePort()}`;
}

export async function edgeTo({
  apis = [],
  apiUrls = () => apis,
  gateways = [],
  ...options
}: { apis?: string[]; apiUrls?: () => string[]; gateways?: string[] } & Omit<
  Partial<Parameters<typeof startEdge>[0]>,
  "apis" | "gateways"
>): Promise<Edge> {
  const edge = await startEdge({
    ...options,
    hosts: ["127.0.0.1"],
    port: await findFreePort(),
    apis: apiUrls,
    gateways: () => gateways,
  });
  closers.push(() => edge.close());
  return { ...edge, url: `http://127.0.0.1:${edge.port}` };
}

export async function startGateway(): Promise<{ url: string; sockets: WebSocketServer; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const { url, server } = await startUpstream((_request, response) => {
    response.statusCode = 400;
    response.end("upgrade required");
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    requests.push(request);
    if (request.url?.includes("token=bad")) {
      socket.end(
        'HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"error":"x"}',
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => client.on("message", (data) => client.send(String(data))));
  });
  return { url, sockets, requests };
}

export async function openSocket(edge: Edge, path = "/ws?token=good"): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}${path}`);
  await once(socket, "open");
  closers.push(() => socket.terminate());
  return socket;
}

/** Writes raw bytes and returns everything that comes back until the connection ends. */
export async function exchangeRaw(edge: Edge, bytes: string): Promise<string> {
  const socket = connect(edge.port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

/** After each test. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
