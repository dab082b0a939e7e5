import type { WebSocket } from "ws";
import { writeJson } from "../json.js";
import { unsentBytesMax } from "./limits.js";
import { ZlibStream } from "./zlib-stream.js";

/** Writes payloads to a client, in the order of the calls. */
export class ClientSocket {
  readonly #zlib: ZlibStream | null;
  #written: Promise<unknown> = Promise.resolve();
  #unsentBytes = 0;
  #waiting: (() => void)[] = [];

  constructor(
    private readonly webSocket: WebSocket,
    { isCompressed }: { isCompressed: boolean },
  ) {
    this.#zlib = isCompressed ? new ZlibStream() : null;
    webSocket.once("close", () => {
      this.#wake();
      void this.#written.then(() => this.#zlib?.close());
    });
  }

  get isOpen(): boolean {
    return this.webSocket.readyState === this.webSocket.OPEN;
  }

  send(payload: object): void {
    const text = writeJson(payload);
    const { length } = text;
    this.#unsentBytes += length;
    const write = (data: string | Buffer) =>
      this.webSocket.send(data, () => {
        this.#unsentBytes -= length;
        if (this.#unsentBytes <= unsentBytesMax) this.#wake();
      });
    const zlib = this.#zlib;
    if (zlib === null) write(text);
    else this.#written = this.#written.then(async () => this.isOpen && write(await zlib.compress(text)));
  }

  /** Resolves once the client has read enough, or is gone. */
  async drained(): Promise<void> {
    while (this.isOpen && this.#unsentBytes > unsentBytesMax) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Closes behind everything that was sent. */
  close(code: number): void {
    void this.#written.then(() => this.webSocket.close(code));
  }

  terminate(): void {
    this.webSocket.terminate();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
