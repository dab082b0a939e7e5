import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a node that breaks connections wherever they are, in the middle of a frame or of the upgrade. */
export interface Cutter {
  url: string;
  /** Breaks all connections and refuses new ones, as a node that dies. */
  kill(): void;
  revive(): void;
  close(): Promise<void>;
}

/**
 * @param urlOf the node's present address
 * @param bytesOf after so many bytes to the client the next connection breaks; infinite for never
 */
export async function startCutter(urlOf: () => string, bytesOf: () => number): Promise<Cutter> {
  const sockets = new Set<Socket>();
  let isDead = false;
  const server = createServer((incoming) => {
    incoming.on("error", () => {});
    if (isDead) {
      incoming.destroy();
      return;
    }
    const { hostname, port } = new URL(urlOf());
    const outgoing = connect(Number(port), hostname);
    let left = bytesOf();
    outgoing.on("data", (bytes) => {
      incoming.write(bytes.subarray(0, Math.max(left, 0)), () => {
        if (left <= 0) incoming.destroy();
      });
      left -= bytes.length;
    });
    incoming.on("data", (bytes) => outgoing.write(bytes));
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const kill = () => {
    isDead = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    kill,
    revive() {
      isDead = false;
    },
    async close() {
      kill();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}
