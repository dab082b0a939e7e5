import { messageWindowMs } from "../limits.js";
import { FrameGate } from "./frame-gate.js";
import type { Transport } from "./transport.js";

/**
 * Limits a client's rate of frames: those above it never reach ws, and reading from a client that exceeded it pauses
 * for one window, so that TCP flow control slows the client down.
 *
 * @param options.onFlood called when the excess has continued for `closeAfterMs`; the client is not read any more
 */
export function guardFrames(
  { webSocket, socket }: Transport,
  options: { closeAfterMs?: number | undefined; onDropped: (frames: number) => void; onFlood: () => void },
): void {
  const { closeAfterMs, onDropped, onFlood } = options;
  const gate = new FrameGate(closeAfterMs);
  // ws has no hook before its parser, which would process thousands of frames of one chunk synchronously.
  const [read, ...others] = socket.listeners("data");
  if (read === undefined || others.length > 0) throw new Error("ws does not read its socket as expected");
  socket.removeAllListeners("data");
  const pass = (part: Buffer) => {
    Reflect.apply(read, socket, [part]);
  };
  socket.on("data", (chunk: Buffer) => {
    const before = gate.dropped;
    const verdict = gate.take(chunk, performance.now(), pass);
    if (verdict === "within") return;
    onDropped(gate.dropped - before);
    webSocket.pause();
    if (verdict === "excess") setTimeout(() => webSocket.resume(), messageWindowMs).unref();
    else onFlood();
  });
  // ws closes the socket itself (1009 for a frame too large) and then reads only to detect its end. Without a listener
  // the error would end the process.
  webSocket.on("error", () => gate.close());
}
