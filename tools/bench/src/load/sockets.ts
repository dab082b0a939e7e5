import type { Socket } from "node:net";
import { type RawData, WebSocket } from "ws";
import { Arrivals } from "../clients/arrivals.js";
import { clockMs, repeat, sum } from "../measure.js";
import { serve } from "../program.js";

/** As a browser's page does it. */
const heartbeatMs = 30_000;
const readyTimeoutMs = 60_000;

/** Each open WebSocket with the connection below it. */
const sockets = new Map<WebSocket, Socket>();
let begun = { marker: "", bytes: 0 };
const arrivals = new Arrivals();
let frames = 0;
let closed = 0;

const functions = {
  /** Opens connections, so many at a time, each with its number. */
  async connect(urls: readonly { number: number; url: string }[], lanes: number, compression: boolean) {
    const readyMs: number[] = [];
    const reasons: Record<string, number> = {};
    await repeat(urls.length, lanes, async (n) => {
      const { number, url } = urls[n] ?? { number: n, url: "" };
      const startedAt = clockMs();
      const reason = await open(number, url, compression);
      if (reason === null) readyMs.push(clockMs() - startedAt);
      else reasons[reason] = (reasons[reason] ?? 0) + 1;
    });
    return { readyMs: Float64Array.from(readyMs), reasons };
  },

  /** Messages with the marker are counted from now on. */
  begin(marker: string) {
    arrivals.begin();
    frames = 0;
    begun = { marker: `"content":"${marker} `, bytes: bytesRead() };
  },

  /** Answers when so many messages have come, or none has for a while. */
  async collect(events: number, quietMs: number) {
    return { ...(await arrivals.collect(events, quietMs)), frames, bytes: bytesRead() - begun.bytes, closed };
  },

  disconnect() {
    const open = [...sockets.keys()];
    sockets.clear();
    for (const socket of open) socket.terminate();
  },
};
export type SocketFunctions = typeof functions;

/** Resolves with null once READY is there, else with the obstacle. */
function open(number: number, url: string, compression: boolean): Promise<string | null> {
  const socket = new WebSocket(url, { perMessageDeflate: compression, handshakeTimeout: readyTimeoutMs });
  return new Promise((resolve) => {
    const timeout = setTimeout(() => resolve("no READY"), readyTimeoutMs);
    const heartbeat = setInterval(() => socket.send('{"op":"HEARTBEAT"}', () => undefined), heartbeatMs);
    let isReady = false;
    socket.on("upgrade", (response) => sockets.set(socket, response.socket));
    socket.on("message", (data) => {
      if (!isReady) {
        isReady = true;
        resolve(null);
      }
      onFrame(number, data);
    });
    socket.on("unexpected-response", (_, response) => resolve(`HTTP ${response.statusCode}`));
    socket.on("error", ({ message }) => resolve(message));
    socket.on("close", (code) => {
      const isLost = sockets.delete(socket);
      if (isReady && isLost) closed += 1;
      clearTimeout(timeout);
      clearInterval(heartbeat);
      resolve(`closed ${code}`);
    });
  });
}

function onFrame(number: number, data: RawData): void {
  frames += 1;
  const text = data.toString();
  if (begun.marker === "" || !text.startsWith('{"op":"DISPATCH","t":"MESSAGE_CREATE"')) return;
  const at = text.indexOf(begun.marker);
  if (at === -1) return;
  arrivals.add(number, Number.parseInt(text.slice(at + begun.marker.length), 10));
}

/** Bytes that the sockets have read from the network, without those of TLS. */
function bytesRead(): number {
  return sum([...sockets.values()].map((connection) => connection.bytesRead));
}

// The process that started this one ends it, after it has closed the connections.
process.on("SIGINT", () => undefined);
serve(functions);
