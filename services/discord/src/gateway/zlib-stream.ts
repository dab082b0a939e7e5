import { constants, createDeflate } from "node:zlib";

/**
 * The compression `zlib-stream`: one context for all payloads of a connection, each of which ends with an empty block
 * (Z_SYNC_FLUSH), so that the client can read it at once.
 */
export class ZlibStream {
  readonly #deflate = createDeflate();
  #chunks: Buffer[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    this.#deflate.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
  }

  /** Payloads are compressed in the order of the calls. */
  compress(text: string): Promise<Buffer> {
    const compressed = this.#last.then(() => this.#compress(text));
    this.#last = compressed;
    return compressed;
  }

  close(): void {
    this.#deflate.close();
  }

  #compress(text: string): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#deflate.write(text);
      this.#deflate.flush(constants.Z_SYNC_FLUSH, () => {
        const bytes = Buffer.concat(this.#chunks);
        this.#chunks = [];
        resolve(bytes);
      });
    });
  }
}
