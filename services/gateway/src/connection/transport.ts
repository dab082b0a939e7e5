import type { Socket } from "node:net";
import type { WebSocket } from "ws";

/** The WebSocket of a connection, and the TCP socket below it that the upgrade handed over. */
export interface Transport {
  webSocket: WebSocket;
  socket: Socket;
}

/** The code that ws reports for a connection that ended without a close frame. */
export const closedWithoutFrame = 1006;

/**
 * What ended a connection: the code of the client's close frame (1005 for one without), the end of its session, or, null, the
 * gateway or the network.
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

/** Resolves when the socket takes more, or is closed. */
export function drained(socket: Socket): Promise<void> {
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
