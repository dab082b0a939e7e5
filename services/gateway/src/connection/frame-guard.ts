import { messageWindowMs } from "../limits.js";
import type { Transport } from "./connection.js";
import { FrameGate } from "./frame-gate.js";

/**
 * Holds a client to its rate of frames: those over it never reach ws, and a client that sent too many is not read for a
 * window, so that TCP makes it wait.
 *
 * @param options.onFlood called when that has gone on for too long; the client is read no more
 */
export function guardFrames(
  { webSocket, socket }: Transport,
  options: { closeAfterMs?: number | undefined; onDropped: (frames: number) => void; onFlood: () => void },
): void {
  const { closeAfterMs, onDropped, onFlood } = options;
  const gate = new FrameGate(closeAfterMs);
  // ws has no hook before its parser, which would work off thousands of frames of one chunk in one go.
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
  // ws closes the socket itself (1009 for a frame too large) and reads on only to find its end. Unheard, the error would
  // end the process.
  webSocket.on("error", () => gate.close());
}
