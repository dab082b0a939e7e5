import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to NATS that a test can interrupt without touching NATS itself. */
export interface NatsProxy {
  url: string;
  /** Ends the connections and refuses new ones. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startNatsProxy(natsUrl: string): Promise<NatsProxy> {
  const target = new URL(natsUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((incoming) => {
    if (isCut) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port), target.hostname);
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
      socket.pipe(other);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `nats://127.0.0.1:${portOf(server.address())}`,
    cut,
    restore() {
      isCut = false;
    },
    async close() {
      cut();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}
