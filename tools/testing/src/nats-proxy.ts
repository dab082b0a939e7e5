import { startTcpProxy } from "./tcp-proxy.js";

/** A way to NATS that a test can interrupt without touching NATS itself. */
export interface NatsProxy {
  url: string;
  /** Ends the connections and refuses new ones. */
  cut(): void;
  restore(): void;
  /** Holds back the client's messages, until it may go on. */
  hold(isHeld: boolean): void;
  /** From now on keeps messages from the client whose subject fits; null lets all pass. */
  drop(fits: ((subject: string) => boolean) | null): void;
  close(): Promise<void>;
}

export async function startNatsProxy(natsUrl: string): Promise<NatsProxy> {
  let isCut = false;
  let drops: ((subject: string) => boolean) | null = null;
  const proxy = await startTcpProxy(natsUrl, () => {
    if (isCut) return null;
    const filter = createFilter((subject) => drops?.(subject) ?? false);
    return { toClient: (bytes, { client }) => client.write(filter(bytes)) };
  });
  return {
    url: `nats://127.0.0.1:${proxy.port}`,
    cut() {
      isCut = true;
      proxy.cut();
    },
    restore() {
      isCut = false;
    },
    hold(isHeld) {
      for (const { client } of proxy.connections) isHeld ? client.pause() : client.resume();
    },
    drop(fits) {
      drops = fits;
    },
    close: proxy.close,
  };
}

/** Takes messages out of NATS' output; everything else passes, whole messages at a time. */
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
