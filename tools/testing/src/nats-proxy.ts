import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to NATS that a test can interrupt without touching NATS itself. */
export interface NatsProxy {
  url: string;
  /** Ends the connections and refuses new ones. */
  cut(): void;
  restore(): void;
  /** Holds back what the client sends, until told to go on. */
  hold(isHeld: boolean): void;
  /** From now on keeps messages from the client whose subject fits; null lets all pass. */
  drop(fits: ((subject: string) => boolean) | null): void;
  close(): Promise<void>;
}

export async function startNatsProxy(natsUrl: string): Promise<NatsProxy> {
  const target = new URL(natsUrl);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let isCut = false;
  let drops: ((subject: string) => boolean) | null = null;
  const server = createServer((incoming) => {
    if (isCut) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port), target.hostname);
    const filter = createFilter((subject) => drops?.(subject) ?? false);
    outgoing.on("data", (bytes) => incoming.write(filter(bytes)));
    incoming.on("data", (bytes) => outgoing.write(bytes));
    clients.add(incoming);
    incoming.on("close", () => clients.delete(incoming));
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
    hold(isHeld) {
      for (const client of clients) isHeld ? client.pause() : client.resume();
    },
    drop(fits) {
      drops = fits;
    },
    async close() {
      cut();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Takes messages out of what NATS sends; everything else passes, whole messages at a time. */
function createFilter(isDropped: (subject: string) => boolean): (bytes: Buffer) => Buffer {
  let pending = Buffer.alloc(0);
  return (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    const passed: Buffer[] = [];
    for (;;) {
      const lineEnd = pending.indexOf("\r\n");
      if (lineEnd === -1) break;
      const [kind, subject = "", ...rest] = pending.subarray(0, lineEnd).toString().split(" ");
      const isMessage = kind === "MSG" || kind === "HMSG";
      const end = lineEnd + 2 + (isMessage ? Number(rest.at(-1)) + 2 : 0);
      if (pending.length < end) break;
      if (!isMessage || !isDropped(subject)) passed.push(pending.subarray(0, end));
      pending = pending.subarray(end);
    }
    return Buffer.concat(passed);
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}
