import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { dispatchFrame } from "@parley/contracts";
import { WebSocketServer } from "ws";
import { sendSteadily, upTo } from "./measure.js";
import { serve } from "./program.js";
import { eventBody } from "./publisher.js";

/** Waiting connections, as many as a gateway asks the kernel for. */
const backlog = 16_384;
/** As long as a cursor in which nothing waits. */
const cursor = "x".repeat(48);

const http = createServer();
const sockets = new Set<Socket>();

async function listen(): Promise<number> {
  http.listen({ host: "127.0.0.1", port: 0, backlog });
  await once(http, "listening");
  const address = http.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** A text frame of less than 64 KiB, as a server sends it. */
function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const header = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), payload]);
}

/** Bare `ws`, which knows nobody: the cost of connections and frames on this machine, whatever the server. */
const functions = {
  /** Accepts connections and says nothing. @returns the port */
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
    await sendSteadily({ perSecond, isDone: upTo(frames) }, async (_, at) => {
      dueAt.push(at);
      for (const socket of sockets) socket.write(frame);
    });
    return dueAt;
  },

  /** Sends every client the same events and then RESUMED. @returns the port */
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
};
export type FloorFunctions = typeof functions;

serve(functions);
