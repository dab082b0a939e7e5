import type { WebSocketConstructor, WebSocketLike } from "./websocket.js";

/** How a connection ended. */
export interface SocketEnd {
  /** Close code; 1006 when there was no closing handshake. */
  readonly code: number;
  /** Text that came with the code; often empty. */
  readonly reason: string;
  /** Whether the upgrade succeeded. */
  readonly wasOpen: boolean;
}

/** Code for a connection without data from the server. It counts as lost, so the server keeps presence for a time. */
export const abandonedCode = 4000;

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
  /** Resolves once, when the connection is over. */
  readonly ended: Promise<SocketEnd>;
  readonly #socket: WebSocketLike;
  readonly #times: SocketTimes;
  readonly #onFrame: (text: string) => void;
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
    onFrame: (text: string) => void;
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
    // Ignored: `close` follows every error.
    this.#socket.addEventListener("error", () => undefined);
  }

  /** Sends a frame, later if the server would drop it. */
  send(op: string, d: unknown): void {
    this.#waiting.push(JSON.stringify({ op, t: null, d }));
    this.#flush();
  }

  /** Ends the connection in order; it is over when this returns. */
  close(): void {
    if (this.#isOver) return;
    this.#socket.close(1000);
    this.#end({ code: 1000, reason: "", wasOpen: this.#isOpen });
  }

  /** Gives the connection up without waiting for the other side. */
  abandon(reason: string): void {
    if (this.#isOver) return;
    this.#socket.close(abandonedCode, reason);
    this.#end({ code: abandonedCode, reason, wasOpen: this.#isOpen });
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
    if (this.#isOver || !("data" in event) || typeof event.data !== "string") return;
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    this.#onFrame(event.data);
  }

  #closed(event: object): void {
    const code = "code" in event && typeof event.code === "number" ? event.code : 1006;
    const reason = "reason" in event && typeof event.reason === "string" ? event.reason : "";
    this.#end({ code, reason, wasOpen: this.#isOpen });
  }

  #end(end: SocketEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    clearTimeout(this.#sendTimer);
    this.#resolveEnded(end);
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
