import type { Socket } from "node:net";
import { closeCodes } from "@parley/contracts";
import type { WebSocket } from "ws";
import { unsentBytesMax } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import type { SerialQueue } from "../scheduling/serial-queue.js";
import { type Batch, emptyBatch } from "./batch.js";
import type { Flushable, WriteScheduler, WriteSchedulers } from "./write-scheduler.js";

/** What a connection writes to: the WebSocket, and the socket below it that the upgrade handed over. */
export interface Transport {
  webSocket: WebSocket;
  socket: Socket;
}

/**
 * One socket.
 *
 * opening → open    READY was sent; what had gathered follows it
 * opening → closed  the client left, or READY failed
 * open    → closed  the client left, was idle, too slow or sent a frame too large, or the gateway stops
 *
 * Events reach it in every state: while opening they gather, afterwards they are dropped.
 *
 * Frames are written to the socket below the WebSocket, because one write of many frames costs what one write of one
 * frame costs. That is safe beside ws: without compression it writes each of its own frames (pong, close) in one
 * synchronous go, we write whole frames only, neither of us fragments, and the socket keeps the order of writes.
 */
export class Connection implements Flushable {
  // A burst comes to thousands of connections whose memory is in no cache, so what sending reads stands together.
  #state: "opening" | "open" | "closed" = "opening";
  /** Where it waits to be written. */
  #scheduler: WriteScheduler | null = null;
  #waitingForDrain = false;
  #batch: Batch = emptyBatch;
  #socket: Socket | null = null;
  #webSocket: WebSocket | null = null;
  /** READY's bytes while the operating system has not taken them all; they do not count as unsent. */
  #readyUnsentBytes = 0;
  #onReadyTaken: (() => void) | null = null;
  /** Ops of the client in order of arrival; made with the first one, for most connections only receive. */
  ops: SerialQueue | null = null;
  readonly startedAt = performance.now();
  /** When the client last sent anything, by `performance.now()`; kept by the idle sweep. */
  activeAt = performance.now();
  bytesReadBefore = 0;

  constructor(
    readonly id: string,
    readonly userId: string,
    readonly isBot: boolean,
    private readonly writeSchedulers: WriteSchedulers,
    private readonly metrics: GatewayMetrics,
    /** Called once when no more events are wanted: the client left, or the connection is being closed. */
    private readonly onEnd: (connection: Connection) => void,
  ) {}

  get state(): "opening" | "open" | "closed" {
    return this.#state;
  }

  /** All bytes the client has sent so far. */
  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0;
  }

  get waitingSince(): number {
    return this.#batch.since;
  }

  /** The upgrade is done. */
  attach({ socket, webSocket }: Transport): void {
    this.#socket = socket;
    this.#webSocket = webSocket;
    // Closed meanwhile: the node is stopping, or too much gathered.
    if (this.#state === "closed") webSocket.close(closeCodes.goingAway);
  }

  /**
   * Sends READY, and after it everything that gathered.
   *
   * @param onTaken called once when this connection holds READY no longer: it is on its way, or the socket is gone
   */
  open(readyFrame: Buffer, onTaken: () => void = () => undefined): void {
    const socket = this.#socket;
    if (this.#state !== "opening" || socket === null) {
      onTaken();
      return;
    }
    this.#state = "open";
    this.#readyUnsentBytes = readyFrame.length;
    this.#onReadyTaken = onTaken;
    socket.write(readyFrame, this.#readyTaken);
    this.metrics.framesSent += 1;
    if (this.#batch !== emptyBatch) this.#schedule(this.writeSchedulers.highPriority);
  }

  /** Whether a part of READY waits for the client to read. */
  get isReadyUnsent(): boolean {
    return this.#readyUnsentBytes > 0;
  }

  /** An answer to the client: written at once, ahead of events that wait, but never before READY. */
  answer(frame: Buffer): void {
    const socket = this.#socket;
    if (this.#state === "open" && socket?.writableNeedDrain === false) {
      socket.write(frame);
      this.metrics.framesSent += 1;
    } else {
      this.send(frame, performance.now());
    }
  }

  /** @param since when the frame's event arrived, by `performance.now()` */
  send(frame: Buffer, since: number): void {
    this.#append(frame, since, this.writeSchedulers.highPriority);
  }

  /** The same for a frame that others may overtake on their way to other connections, never on this one. */
  sendLowPriority(frame: Buffer, since: number): void {
    this.#append(frame, since, this.writeSchedulers.lowPriority);
  }

  #append(frame: Buffer, since: number, scheduler: WriteScheduler): void {
    if (this.#state === "closed") return;
    this.#batch = this.#batch.append(frame, since);
    const isWritable = this.#state === "open" && !this.#waitingForDrain;
    // Too much is the flush's business too: closing here would change the audience that is being gone through.
    if (isWritable || this.#batch.byteLength > unsentBytesMax) this.#schedule(scheduler);
  }

  flush(): void {
    this.#scheduler = null;
    const batch = this.#batch;
    const socket = this.#socket;
    const webSocket = this.#webSocket;
    if (webSocket !== null && webSocket.readyState !== webSocket.OPEN) this.#stop();
    if (this.#state === "closed" || batch === emptyBatch) return;
    if (this.#unsentBytes > unsentBytesMax) {
      this.closeAsSlow();
      return;
    }
    if (this.#state === "opening" || socket === null || this.#waitingForDrain) return;
    if (socket.writableNeedDrain) {
      // What stays in the batch is shared with the other slow connections, and can be dropped; the socket's own queue cannot.
      this.#waitingForDrain = true;
      socket.once("drain", this.#onDrain);
      return;
    }
    this.#batch = emptyBatch;
    socket.write(batch.bytes());
    this.metrics.framesSent += batch.frameCount;
    this.metrics.bytesSent += batch.byteLength;
    this.metrics.writes += 1;
  }

  /** The client does not read what it is sent. */
  closeAsSlow(): void {
    this.metrics.slowCloses += 1;
    this.close(closeCodes.goingAway);
  }

  /** Says goodbye; frames that were not written yet are dropped. */
  close(code: number): void {
    if (this.#state === "closed") return;
    this.#stop();
    this.#webSocket?.close(code);
  }

  /** The socket is gone. */
  detach(): void {
    this.#stop();
    this.#readyTaken();
    this.#socket = null;
    this.#webSocket = null;
  }

  /** What waits for the client to read, but for READY: that is as large as it has to be, however slow the line. */
  get #unsentBytes(): number {
    return (this.#socket?.writableLength ?? 0) - this.#readyUnsentBytes + this.#batch.byteLength;
  }

  readonly #readyTaken = () => {
    this.#readyUnsentBytes = 0;
    this.#onReadyTaken?.();
    this.#onReadyTaken = null;
  };

  /** Whichever queue comes first writes everything, and the other finds nothing. */
  #schedule(scheduler: WriteScheduler): void {
    if (this.#scheduler === scheduler || this.#scheduler === this.writeSchedulers.highPriority) return;
    this.#scheduler = scheduler;
    scheduler.add(this);
  }

  readonly #onDrain = () => {
    this.#waitingForDrain = false;
    if (this.#state === "open" && this.#batch !== emptyBatch) this.#schedule(this.writeSchedulers.highPriority);
  };

  #stop(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#batch = emptyBatch;
    this.onEnd(this);
  }
}
