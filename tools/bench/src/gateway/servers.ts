import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { dispatchFrame } from "@parley/contracts";
import { connectMessaging, subscribeLive } from "@parley/messaging";
import { WebSocketServer } from "ws";
import { sendSteadily } from "../measure.js";
import { serve } from "../program.js";
import { eventBody } from "./publisher.js";

/** Waiting connections, as many as a gateway asks the kernel for. */
const backlog = 16_384;
/** As long as a cursor in which nothing waits. */
const cursor = "x".repeat(48);
/** Longer than any benchmark: the clients answer no pings. */
const pingInterval = 24 * 60 * 60 * 1_000;

const http = createServer();
const sockets = new Set<Socket>();

async function listen(): Promise<number> {
  http.listen({ host: "127.0.0.1", port: 0, backlog });
  await once(http, "listening");
  const address = http.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

async function subscribe(natsUrl: string, subject: string, onEvent: (text: string) => void): Promise<void> {
  const logger = { info: () => undefined, warn: () => undefined };
  const messaging = await connectMessaging({ url: natsUrl, name: "bench rival", logger });
  subscribeLive(messaging, subject, ({ body }) => onEvent(Buffer.from(body).toString()));
  await messaging.ping(10_000);
}

/** A text frame of less than 64 KiB, as a server sends it. */
function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const header = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), payload]);
}

/** Servers that a gateway is compared with; each function is called once in a process, and returns the port. */
const functions = {
  /** What one writes first: every event to every client, one after the other. */
  async "naive ws"(natsUrl: string, subject: string) {
    const server = new WebSocketServer({ server: http, perMessageDeflate: false });
    server.on("connection", (client) => client.on("error", () => undefined));
    await subscribe(natsUrl, subject, (text) => {
      for (const client of server.clients) client.send(text);
    });
    return listen();
  },

  /** A socket.io server as its documentation writes it: everybody in one room, every event emitted to the room. */
  async "socket.io"(natsUrl: string, subject: string) {
    const { Server } = await import("socket.io");
    const io = new Server(http, { transports: ["websocket"], serveClient: false, pingInterval });
    io.on("connection", (socket) => void socket.join("room"));
    await subscribe(natsUrl, subject, (text) => {
      io.to("room").emit("DISPATCH", JSON.parse(text));
    });
    return listen();
  },

  /** What a server costs that knows nobody, and sends every client the same events and then RESUMED. */
  async resuming(events: number, writes: "one" | "each") {
    const envelopes = Array.from({ length: events }, (_, number) => eventBody(`${number} `));
    envelopes.push(dispatchFrame("RESUMED", JSON.stringify({ replayed: events, presence: "current" })));
    const payloads = envelopes.map((envelope) => Buffer.from(`${envelope.slice(0, -1)},"s":"${cursor}"}`));
    const together = Buffer.concat(payloads.map(textFrame));
    const server = new WebSocketServer({ server: http, clientTracking: false, perMessageDeflate: false });
    server.on("connection", (client, { socket }) => {
      client.on("error", () => undefined);
      if (writes === "one") socket.write(together);
      else for (const payload of payloads) client.send(payload, { binary: false });
    });
    return listen();
  },

  /** WebSockets and nothing else: what writing one frame to all of them takes on this machine. */
  silent() {
    const server = new WebSocketServer({ server: http, perMessageDeflate: false });
    server.on("connection", (client, { socket }) => {
      sockets.add(socket);
      client.on("error", () => undefined);
      client.on("close", () => sockets.delete(socket));
    });
    return listen();
  },

  /** Writes frames to every socket of a silent one. @returns when each was due: one that waits for the one before is late */
  async write(payloadBytes: number, perSecond: number, frames: number) {
    const frame = textFrame(Buffer.alloc(payloadBytes, " "));
    const dueAt: number[] = [];
    await sendSteadily({ perSecond, isDone: (sent) => sent >= frames }, async (_, at) => {
      dueAt.push(at);
      for (const socket of sockets) socket.write(frame);
    });
    return dueAt;
  },

  memory: () => process.memoryUsage(),
};
export type ServerFunctions = typeof functions;

serve(functions);
