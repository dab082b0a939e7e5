import { WebSocket } from "ws";
import { z } from "zod";

const Frame = z.object({ op: z.string(), t: z.string().nullish(), d: z.unknown() });
const MessageEvent = z.object({ content: z.string() });

/** The probe's connection at /ws. */
export class ProbeSocket {
  readonly #url: string;
  #socket: WebSocket | null = null;
  readonly #waiting = new Map<string, (receivedAt: number) => void>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves when READY has come; at once while the connection is open. */
  async open(signal: AbortSignal): Promise<void> {
    if (this.#socket !== null) {
      this.#socket.send('{"op":"HEARTBEAT"}');
      return;
    }
    const socket = new WebSocket(this.#url);
    const ended = () => {
      if (this.#socket === socket) this.#socket = null;
    };
    const abort = () => socket.terminate();
    signal.addEventListener("abort", abort, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.on("close", (code) => {
          ended();
          reject(new Error(`The socket was closed with ${code}`));
        });
        socket.on("error", reject);
        socket.on("message", (data) => {
          const frame = Frame.parse(JSON.parse(String(data)));
          if (frame.t === "READY") resolve();
          if (frame.t === "MESSAGE_CREATE") this.#receive(frame.d);
        });
      });
    } finally {
      signal.removeEventListener("abort", abort);
    }
    this.#socket = socket;
  }

  /** Resolves with the time, by `performance.now()`, at which a message with this content came. */
  waitFor(content: string, signal: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(content);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.set(content, (receivedAt) => {
        this.#waiting.delete(content);
        signal.removeEventListener("abort", abort);
        resolve(receivedAt);
      });
    });
  }

  close(): void {
    this.#socket?.terminate();
  }

  #receive(payload: unknown): void {
    const event = MessageEvent.safeParse(payload);
    if (event.success) this.#waiting.get(event.data.content)?.(performance.now());
  }
}
