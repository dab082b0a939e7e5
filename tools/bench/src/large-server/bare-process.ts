import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { clockMs } from "../clock.js";
import { type BareAnswer, BareCommand } from "./bare-protocol.js";

/** WebSockets and nothing else: what writing one frame to all of them takes on this machine. */
const sockets = new Set<Socket>();
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", (client, { socket }) => {
  sockets.add(socket);
  client.on("error", () => undefined);
  client.on("close", () => sockets.delete(socket));
});

async function write({ payloadBytes, perSecond, frames }: BareCommand): Promise<BareAnswer> {
  const frame = textFrame(payloadBytes);
  const sentAt: number[] = [];
  const startedAt = clockMs();
  for (let number = 0; number < frames; number += 1) {
    // A frame that waits for the one before it is late from when it was due. Timers may also be early.
    const dueAt = startedAt + (number * 1_000) / perSecond;
    await pause(Math.max(0, dueAt - clockMs()));
    sentAt.push(Math.min(dueAt, clockMs()));
    for (const socket of sockets) socket.write(frame);
  }
  return { sentAt };
}

/** A text frame of 126 to 65,535 bytes, as a server sends it. */
function textFrame(payloadBytes: number): Buffer {
  const frame = Buffer.alloc(4 + payloadBytes, " ");
  frame.set([0x81, 126]);
  frame.writeUInt16BE(payloadBytes, 2);
  return frame;
}

await once(server, "listening");
const address = server.address();
process.send?.({ port: typeof address === "object" ? address?.port : 0 });
process.on("message", async (message) => process.send?.(await write(BareCommand.parse(message))));
process.on("disconnect", () => process.exit());
