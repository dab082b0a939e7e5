import type { Socket } from "node:net";

/**
 * Limits the connections of one address, so that one client cannot hold all file descriptors of the edge.
 *
 * @returns to be called with each new connection; closes it when its address has as many as it may
 */
export function limitConnections(max: number): (socket: Socket) => void {
  const counts = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? "";
    const count = counts.get(address) ?? 0;
    if (count >= max) {
      socket.destroy();
      return;
    }
    counts.set(address, count + 1);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  };
}
