import { rootCause } from "./refusal.js";
import type { WebSocketConstructor, WebSocketLike } from "./websocket.js";

/** How a connection ended. */
export interface SocketEnd {
  /**
   * Close code; 1006 when there was no closing handshake. Given by the client: 4000 when nothing came from the server any
   * more, 4001 after a frame that no Parley server sends, 4002 when the handlers of `consume` are behind.
   */
  readonly code: number;
  /** Text that came with the code; often empty. */
  readonly reason: string;
  /** Whether the upgrade succeeded. */
  readonly wasOpen: boolean;
  /** The cause, such as a system error with the code ECONNREFUSED; null when it is unknown. */
  readonly cause: Error | null;
}

/** Code for a connection without data from the server. It counts as lost, so the server keeps presence for a time. */
export const abandonedCode = 4000;

/** Code for a connection on which something came that no Parley server sends. */
export const wrongFrameCode = 4001;

/** Close code while too many events are not handled. */
export const heldCode = 4002;

/** Frames that a server takes in a second are 20; the clocks of both sides are not the same. */
const framesPerSecondMax = 18;

/** Time limits of one connection, in milliseconds. */
export interface SocketTimes {
  /** For the upgrade. */
  readonly openMs: number;
  /** Between heartbeats. */
  readonly heartbeatMs: number;
  /** For the answer to a heartbeat, or anything else that comes. */
  readonly answerMs: number;
}

/** One connection to the gateway: frames, heartbeats, and its end, also when no close frame comes. */
export class GatewaySocket {
  /** Resolves once, when the connection has ended. */
  readonly ended: Promise<SocketEnd>;
  readonly #socket: WebSocketLike;
  readonly #times: SocketTimes;
  readonly #onFrame: (data: unknown) => void;
  #cause: Error | null = null;
  #resolveEnded: (end: SocketEnd) => void = () => undefined;
  #isOpen = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout>;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #waiting: string[] = [];
  #sentAt: number[] = [];
  #sendTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: {
    url: string;
    WebSocket: WebSocketConstructor;
    times: SocketTimes;
    /** Gets each frame; an error that it throws ends the connection. */
    onFrame: (data: unknown) => void;
  }) {
    this.#times = options.times;
    this.#onFrame = options.onFrame;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#socket = new options.WebSocket(options.url);
    this.#timer = setTimeout(() => this.abandon("not open in time"), this.#times.openMs);
    this.#socket.addEventListener("open", () => this.#opened());
    this.#socket.addEventListener("message", (event) => this.#received(event));
    this.#socket.addEventListener("close", (event) => this.#closed(event));
    // `close` follows every error.
    this.#socket.addEventListener("error", (event) => {
      if ("error" in event && event.error instanceof Error) this.#cause = rootCause(event.error);
    });
  }

  /** Sends a frame, later if the server would drop it. */
  send(op: string, d: unknown): void {
    this.#waiting.push(JSON.stringify({ op, t: null, d }));
    this.#flush();
  }

  /** Ends the connection in order; it has ended when this returns. */
  close(): void {
    if (this.#isOver) return;
    this.#socket.close(1000);
    this.#end(1000, "");
  }

  /** Gives the connection up without waiting for the other side. */
  abandon(reason: string, code = abandonedCode): void {
    if (this.#isOver) return;
    this.#socket.close(code, reason);
    this.#end(code, reason);
  }

  /** Finds out now whether the other side is still there. */
  probe(): void {
    if (!this.#isOpen || this.#isOver || this.#deadline !== undefined) return;
    this.send("HEARTBEAT", null);
    this.#deadline = setTimeout(() => this.abandon("no heartbeat"), this.#times.answerMs);
  }

  #opened(): void {
    if (this.#isOver) return;
    this.#isOpen = true;
    // The first heartbeats of clients that were disconnected together are spread.
    this.#beat(Math.random() * this.#times.heartbeatMs);
    this.#flush();
  }

  #beat(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.probe();
      this.#beat(this.#times.heartbeatMs);
    }, afterMs);
  }

  #received(event: object): void {
    if (this.#isOver || !("data" in event)) return;
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    try {
      this.#onFrame(event.data);
    } catch (error) {
      this.#cause = error instanceof Error ? error : new Error(String(error));
      this.abandon("wrong frame", wrongFrameCode);
    }
  }

  #closed(event: object): void {
    const code = "code" in event && typeof event.code === "number" ? event.code : 1006;
    const reason = "reason" in event && typeof event.reason === "string" ? event.reason : "";
    this.#end(code, reason);
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    clearTimeout(this.#sendTimer);
    this.#resolveEnded({ code, reason, wasOpen: this.#isOpen, cause: this.#cause });
  }

  #flush(): void {
    if (!this.#isOpen || this.#isOver) return;
    clearTimeout(this.#sendTimer);
    const now = performance.now();
    this.#sentAt = this.#sentAt.filter((at) => at > now - 1_000);
    for (;;) {
      if (this.#sentAt.length >= framesPerSecondMax) break;
      const frame = this.#waiting.shift();
      if (frame === undefined) return;
      this.#sentAt.push(now);
      this.#socket.send(frame);
    }
    const [oldest = now] = this.#sentAt;
    this.#sendTimer = setTimeout(() => this.#flush(), oldest + 1_000 - now);
  }
}
