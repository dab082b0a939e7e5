import type { Socket } from "node:net";
import type { WebSocket } from "ws";

/**
 * The WebSocket of a connection, and the TCP socket below it that the upgrade handed over.
 *
 * Frames are written to the socket below the WebSocket, because one write of many frames costs as much as one write of
 * one frame. That is safe beside ws: ws writes each of its own frames (pong, close), which are never compressed, in one
 * synchronous call, a connection writes whole frames only, neither fragments, and the socket keeps the order of writes.
 */
export interface Transport {
  webSocket: WebSocket;
  socket: Socket;
}

/** The code that ws reports for a connection that ended without a close frame. */
export const closedWithoutFrame = 1006;

/**
 * The cause of a connection's end: the code of the client's close frame (1005 for one without), the end of its session,
 * or, null, the gateway or the network.
 */
export type EndReason = number | "session ended" | null;

/**
 * Writes several pieces with one call to the operating system.
 *
 * @param onTaken called when it has accepted them all
 */
export function writeTogether(socket: Socket, pieces: readonly Buffer[], onTaken: () => void): void {
  socket.cork();
  pieces.forEach((piece, index) => {
    socket.write(piece, index === pieces.length - 1 ? onTaken : undefined);
  });
  socket.uncork();
}

/**
 * Writes each piece when the operating system has accepted the one before.
 *
 * @param socketFor called for each piece; null ends the writing
 * @returns the last piece, which is not written
 */
export async function writeAllButLast(
  pieces: Iterable<Buffer>,
  socketFor: (piece: Buffer) => Socket | null,
): Promise<Buffer[]> {
  let last: Buffer[] = [];
  for (const piece of pieces) {
    const socket = socketFor(piece);
    if (socket === null) break;
    for (const previous of last) socket.write(previous);
    last = [piece];
    if (socket.writableNeedDrain) await drained(socket);
  }
  return last;
}

/** Resolves when the socket takes more, or is closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.removeListener("drain", end);
      socket.removeListener("close", end);
      resolve();
    };
    socket.once("drain", end);
    socket.once("close", end);
    if (socket.destroyed) end();
  });
}
