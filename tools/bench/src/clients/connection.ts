import { connect, type Socket } from "node:net";
import { FrameCounter } from "./frame-counter.js";

/** How long a connection may take to become ready. */
const readyTimeoutMs = 120_000;
const readBufferBytes = 256 * 1024;
/** Every socket of the process reads into the same memory: a read ends before the next begins. */
const readBuffer = Buffer.allocUnsafe(readBufferBytes);
const clientText = 0x81;
const clientClose = 0x88;
const clientPing = 0x89;

/** The first frames of a server, and the offers of its clients, on a new connection. */
export interface Dialect {
  /** The connection is ready when so many frames have come. */
  helloFrames: number;
  /** Its offer in `Sec-WebSocket-Extensions`. */
  extensions?: string;
  /** Clients keep the cursor of the last frame that has one, and READY or RESUMED says when a connection is ready. */
  isResumable?: boolean;
}

/** A gateway, whose first frame is READY. */
export const plain: Dialect = { helloFrames: 1 };
/** The same, of a client that takes compressed frames. */
export const compressing: Dialect = { ...plain, extensions: "permessage-deflate; client_max_window_bits" };
export const resumable: Dialect = { helloFrames: Number.POSITIVE_INFINITY, isResumable: true };
/** A server that says nothing. */
export const silent: Dialect = { helloFrames: 0 };

/** Where frames are counted. */
export interface FrameSink {
  readonly payloadBytes: number | "all";
  onFrames(found: number): void;
  /** Left out, payloads are not looked at. The bytes may be overwritten afterwards. */
  readonly onPayload?: ((bytes: Buffer, start: number, end: number) => void) | undefined;
}

/** A WebSocket client that does the handshake and then only counts. */
export class Connection {
  readonly #counter: FrameCounter;
  readonly #socket: Socket;
  readonly #ready: Promise<boolean>;
  #settle: (isReady: boolean) => void = () => undefined;
  #head: string | null = "";
  #pongsAwaited = Number.POSITIVE_INFINITY;
  #onPong: () => void = () => undefined;

  constructor(
    target: { port: number; path: string; dialect: Dialect },
    private readonly sink: FrameSink,
  ) {
    this.#counter = new FrameCounter(sink.onPayload);
    this.#ready = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const timeout = setTimeout(() => this.destroy(), readyTimeoutMs);
    void this.#ready.then(() => clearTimeout(timeout));
    this.#socket = connect({
      host: "127.0.0.1",
      port: target.port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          this.#read(readBuffer.subarray(0, length), target.dialect);
          return true;
        },
      },
    });
    this.#socket.on("connect", () => this.#socket.write(handshake(target.path, target.dialect.extensions)));
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.on("close", () => this.#settle(false));
  }

  /** Whether the connection became ready; false when it ended before. */
  get ready(): Promise<boolean> {
    return this.#ready;
  }

  /** For a dialect in which the number of frames does not show that it is ready. */
  markReady(): void {
    this.#settle(true);
  }

  /** Pings the server, and resolves with its pong, or when the connection has ended. */
  async ping(): Promise<void> {
    if (!this.#socket.writable) return;
    this.#pongsAwaited = this.#counter.pongs + 1;
    this.#socket.write(clientFrame(clientPing, ""));
    await new Promise<void>((resolve) => {
      this.#onPong = resolve;
      this.#socket.once("close", resolve);
    });
    this.#socket.removeListener("close", this.#onPong);
  }

  /** Writes bytes of frames; false when the connection cannot take them. */
  write(frames: Buffer): boolean {
    if (this.#head !== null || !this.#socket.writable) return false;
    this.#socket.write(frames);
    return true;
  }

  /** Written, and not yet taken by the operating system. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Says goodbye and lets the server close. */
  close(): void {
    if (this.#socket.writable) this.#socket.write(clientFrame(clientClose, ""));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resolves when the socket is closed. */
  async closed(): Promise<void> {
    if (!this.#socket.closed) await new Promise((resolve) => this.#socket.once("close", resolve));
  }

  #read(bytes: Buffer, dialect: Dialect): void {
    if (this.#head === null) {
      this.#count(bytes, dialect);
      return;
    }
    this.#head += bytes.toString("latin1");
    const end = this.#head.indexOf("\r\n\r\n");
    if (end === -1) return;
    const rest = Buffer.from(this.#head.slice(end + 4), "latin1");
    const isUpgraded = this.#head.startsWith("HTTP/1.1 101 ");
    this.#head = null;
    if (!isUpgraded) {
      this.destroy();
      return;
    }
    this.#count(rest, dialect);
  }

  #count(bytes: Buffer, { helloFrames }: Dialect): void {
    const found = this.#counter.read(bytes, this.sink.payloadBytes);
    if (found > 0) this.sink.onFrames(found);
    if (this.#counter.frames >= helloFrames) this.#settle(true);
    if (this.#counter.pongs >= this.#pongsAwaited) this.#onPong();
  }
}

function handshake(path: string, extensions: string | undefined): string {
  return [
    `GET ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...(extensions === undefined ? [] : [`Sec-WebSocket-Extensions: ${extensions}`]),
    "",
    "",
  ].join("\r\n");
}

/** A text frame of a client, of at most 125 bytes. */
export function clientTextFrame(text: string): Buffer {
  return clientFrame(clientText, text);
}

/** A frame of a client, of ASCII up to 64 KiB. A mask of zeros is a mask, and leaves the payload as it is. */
function clientFrame(firstByte: number, payload: string): Buffer {
  const { length } = payload;
  const lengthBytes = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([firstByte, ...lengthBytes, 0, 0, 0, 0]), Buffer.from(payload)]);
}
