import type { Socket } from "node:net";
import { closeCodes } from "@parley/contracts";
import type { WebSocket } from "ws";
import { sessionTagLength, viewSessionTagLength } from "../cursors/cursor.js";
import type { Numbering } from "../cursors/numbering.js";
import { compressedRecipientsMin, fewRecipientsMax, unsentBytesMax } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { type ConnectionQuery, type Topic, wants } from "../query/connection-query.js";
import type { SerialQueue } from "../scheduling/serial-queue.js";
import type { DeflatableFrame } from "./deflate.js";
import {
  type Batch,
  type BatchContents,
  emptyBatch,
  emptyNumberedBatch,
  emptyNumberedViewBatch,
  type FrameKind,
  sessionTagFromEnd,
  withOwn,
} from "./frames.js";
import { closedWithoutFrame, type EndReason, type Transport, writeAllButLast, writeTogether } from "./transport.js";
import type { Flushable, WriteScheduler, WriteSchedulers } from "./write-scheduler.js";

/**
 * One socket.
 *
 * opening → open    READY was sent; the frames that waited follow it
 * opening → closed  the client left, or READY failed
 * open    → closed  the client left, was idle, too slow or sent a frame too large, or the gateway stops
 *
 * Events are sent to it in every state: while it is opening they wait, after it is closed they are dropped.
 */
export class Connection implements Flushable {
  // Sending reads fields of thousands of connections in no processor cache: these are declared next to each other.
  #state: "opening" | "open" | "closed" = "opening";
  /** The scheduler that will flush it; null for none. */
  #scheduler: WriteScheduler | null = null;
  #waitingForDrain = false;
  #batch: Batch;
  /** The last frame that was sent compressed; null before the first, undefined without compression. */
  #lastDeflated: DeflatableFrame | null | undefined;
  /** Number of the last event for co-members that the connection received, so that it receives each once. */
  lastComemberEvent = 0;
  #socket: Socket | null = null;
  #webSocket: WebSocket | null = null;
  /** READY until the operating system has accepted all its bytes, which do not count as unsent. */
  #unsentReady: { byteLength: number; onTaken: () => void } | null = null;
  #isReplaying = false;
  /** The channels in view; null for a connection without `view` (docs/protocol/passive-servers.md#27). */
  #shown: ReadonlySet<string> | null;
  /** Whether the client has replaced the channels of its upgrade request by a VIEW. */
  hasNamedView = false;
  /** Ops of the client in the order received; created for the first op, as most connections only receive. */
  ops: SerialQueue | null = null;
  readonly startedAt = performance.now();
  /** When the client last sent anything, by `performance.now()`; kept by the idle sweep. */
  activeAt = performance.now();
  bytesReadBefore = 0;

  readonly id: string;
  readonly userId: string;
  readonly isBot: boolean;
  /** Version of the account's sessions that it belongs to. */
  readonly sessionVersion: number;
  /** The session whose access token opened it; null for bots. */
  readonly sessionId: string | null;
  readonly query: ConnectionQuery;
  /** The client's; for tests that open no socket `unknown`. */
  readonly address: string;
  /** Null for a connection whose frames carry no cursor (docs/protocol/continuing.md#19.1). */
  readonly numbering: Numbering | null;
  readonly #writeSchedulers: WriteSchedulers;
  readonly #metrics: GatewayMetrics;
  readonly #onEnd: (connection: Connection, reason: EndReason) => void;

  /** @param surroundings.onEnd called once when the state becomes closed */
  constructor(
    client: Pick<Connection, "id" | "userId" | "isBot" | "sessionVersion" | "sessionId" | "query"> & {
      numbering?: Numbering | null;
      address?: string;
    },
    surroundings: {
      writeSchedulers: WriteSchedulers;
      metrics: GatewayMetrics;
      onEnd(connection: Connection, reason: EndReason): void;
    },
  ) {
    this.id = client.id;
    this.userId = client.userId;
    this.isBot = client.isBot;
    this.sessionVersion = client.sessionVersion;
    this.sessionId = client.sessionId;
    this.query = client.query;
    this.address = client.address ?? "unknown";
    this.#shown = client.query.view && new Set(client.query.view);
    this.numbering = client.numbering ?? null;
    this.#batch = this.#emptyBatch;
    this.#writeSchedulers = surroundings.writeSchedulers;
    this.#metrics = surroundings.metrics;
    this.#onEnd = surroundings.onEnd;
  }

  get state(): "opening" | "open" | "closed" {
    return this.#state;
  }

  /** Whether the connection's query selects such events, and it shows the channel if it must. */
  wants(topic: Topic): boolean {
    const { shownIn } = topic;
    if (shownIn !== undefined && this.#shown !== null && !this.#shown.has(shownIn)) return false;
    return wants(this.query, this.userId, topic);
  }

  /** The channels in view; null for a connection without `view` (docs/protocol/passive-servers.md#27). */
  get shown(): ReadonlySet<string> | null {
    return this.#shown;
  }

  /** Sets the channels in view of a connection with `view`. Only the hub calls it, because the hub indexes them. */
  show(channelIds: ReadonlySet<string>): void {
    this.#shown = channelIds;
    this.numbering?.setShown(channelIds);
  }

  /** All bytes the client has sent so far. */
  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0;
  }

  /** Frames of the kinds of connections alternate, so each kind has a root of its own. */
  get #emptyBatch(): Batch {
    if (this.numbering === null) return emptyBatch;
    return this.query.view === null ? emptyNumberedBatch : emptyNumberedViewBatch;
  }

  get waitingSince(): number {
    return this.#batch.since;
  }

  /** The upgrade is done. */
  attach({ socket, webSocket }: Transport): void {
    this.#socket = socket;
    this.#webSocket = webSocket;
    if (webSocket.extensions !== "") this.#lastDeflated = null;
    // Closed during the upgrade: the node is stopping, or too many frames waited.
    if (this.#state === "closed") webSocket.close(closeCodes.goingAway);
  }

  /**
   * Sends READY, then the waiting frames.
   *
   * @param readyFrame in pieces, so that a large one is not copied
   * @param onTaken called once when this connection no longer references READY's bytes: the operating system has
   *   accepted them, or the socket is closed
   */
  open(readyFrame: readonly Buffer[], onTaken: () => void = () => undefined): void {
    const socket = this.#socket;
    if (this.#state !== "opening" || socket === null) {
      onTaken();
      return;
    }
    this.#state = "open";
    this.#unsentReady = { byteLength: readyFrame.reduce((sum, { length }) => sum + length, 0), onTaken };
    writeTogether(socket, readyFrame, this.#readyTaken);
    this.#metrics.framesSent += 1;
    if (this.#batch.frameCount > 0) this.#schedule(this.#writeSchedulers.mediumPriority);
  }

  /**
   * Writes the frames before {@link open}, each piece when the operating system has accepted the one before. Resolves
   * when all but the last is written, or the connection is closed.
   *
   * @returns the last piece, to be written by {@link open}, because two writes cost twice as much as one
   */
  async replay(pieces: Iterable<Buffer>): Promise<Buffer[]> {
    this.#isReplaying = true;
    const last = await writeAllButLast(pieces, (piece) => {
      if (this.#state !== "opening" || this.#socket === null) return null;
      this.#metrics.bytesSent += piece.length;
      return this.#socket;
    });
    this.#isReplaying = false;
    return last;
  }

  /** Whether a part of READY, or of a replay, is still unsent because the client has not read it. */
  get isReadyUnsent(): boolean {
    return this.#unsentReady !== null || this.#isReplaying;
  }

  /** Writes an answer to the client at once, before the waiting events, but never before READY. */
  answer(frame: Buffer): void {
    const socket = this.#socket;
    if (this.#state === "open" && socket?.writableNeedDrain === false) {
      socket.write(frame);
      this.#metrics.framesSent += 1;
    } else {
      this.send(frame, performance.now());
    }
  }

  /**
   * @param since when the frame's event arrived, by `performance.now()`
   * @param recipients how many users get the event here: with many it has lower priority than events with few
   */
  send(frame: Buffer, since: number, recipients = 1): void {
    const kind = recipients < compressedRecipientsMin ? ownFrame : sharedFrame;
    this.#append(frame, since, this.#eventScheduler(recipients), kind);
  }

  /** As {@link send}, with low priority: urgent frames of others do not wait for it. */
  sendLater(frame: Buffer, since: number): void {
    this.#append(frame, since, this.#writeSchedulers.lowPriority, ownFrame);
  }

  /** As {@link send}, of a frame that lacks the session tag of its cursor. */
  sendNumbered(frame: Buffer, since: number, recipients = 1): void {
    const { own, shared } = this.query.view === null ? taggedFrame : viewTaggedFrame;
    this.#append(frame, since, this.#eventScheduler(recipients), recipients < compressedRecipientsMin ? own : shared);
  }

  /**
   * As {@link send}, with low priority. The order of the frames on this connection is kept, but for an earlier presence
   * of the same user that is not written yet: it never will be (docs/protocol/connecting.md#20.2).
   *
   * @param recipients how many connections get the frame here
   */
  sendPresence(frame: Buffer, since: number, userId: string, recipients = 1): void {
    const kind = { presenceOf: userId, isCompressible: recipients >= compressedRecipientsMin };
    this.#append(frame, since, this.#writeSchedulers.lowPriority, kind);
  }

  #eventScheduler(recipients: number): WriteScheduler {
    return recipients > fewRecipientsMax ? this.#writeSchedulers.mediumPriority : this.#writeSchedulers.highPriority;
  }

  #append(frame: Buffer, since: number, scheduler: WriteScheduler, kind: FrameKind): void {
    if (this.#state === "closed") return;
    this.#batch = this.#batch.append(frame, since, kind);
    const isWritable = this.#state === "open" && !this.#waitingForDrain;
    // An excess is left to the flush as well: closing here would change the audience that the caller iterates over.
    if (isWritable || this.#batch.byteLength > unsentBytesMax) this.#schedule(scheduler);
  }

  /** @returns the bytes written */
  flush(): number {
    this.#scheduler = null;
    const socket = this.#socket;
    const webSocket = this.#webSocket;
    // The client is closing. How the connection ends is known when the socket is closed.
    if (webSocket !== null && webSocket.readyState !== webSocket.OPEN) {
      this.#batch = this.#emptyBatch;
      return 0;
    }
    if (this.#state === "closed" || this.#batch.frameCount === 0) return 0;
    if (this.#unsentBytes > unsentBytesMax) this.#batch = this.#batch.withoutSuperseded();
    if (this.#unsentBytes > unsentBytesMax) {
      this.closeAsSlow();
      return 0;
    }
    if (this.#state === "opening" || socket === null || this.#waitingForDrain) return 0;
    if (socket.writableNeedDrain) {
      // The batch is shared with other slow connections and can be dropped; the socket's own queue is neither.
      this.#waitingForDrain = true;
      socket.once("drain", this.#onDrain);
      return 0;
    }
    const contents = this.#contents();
    const bytes = this.numbering === null ? contents.bytes : withOwn(contents, this.numbering.sessionTag);
    this.#batch = this.#emptyBatch;
    socket.write(bytes);
    this.#metrics.framesSent += contents.frameCount;
    this.#metrics.bytesSent += bytes.length;
    this.#metrics.writes += 1;
    return bytes.length;
  }

  #contents(): BatchContents {
    const batch = this.#batch;
    if (this.#lastDeflated === undefined) return batch.contents();
    const contents = batch.deflated(this.#lastDeflated);
    this.#lastDeflated = contents.last ?? this.#lastDeflated;
    this.#metrics.bytesSaved += contents.savedBytes;
    return contents;
  }

  /** Closes a connection whose client does not read. */
  closeAsSlow(): void {
    this.#metrics.slowCloses += 1;
    this.close(closeCodes.goingAway);
  }

  /** Sends a close frame; unwritten frames are dropped. */
  close(code: number, reason: EndReason = null): void {
    if (this.#state === "closed") return;
    this.#stop(reason);
    this.#webSocket?.close(code);
  }

  /** Closes the connection because its session has ended: its client cannot continue it. */
  closeForGood(): void {
    this.close(closeCodes.normal, "session ended");
  }

  /**
   * Releases the socket after it was closed; the counterpart of {@link attach}.
   *
   * @param code with which the WebSocket was closed; 1006 when there was no close frame
   */
  detach(code: number = closedWithoutFrame): void {
    this.#stop(code === closedWithoutFrame ? null : code);
    this.#readyTaken();
    this.#socket = null;
    this.#webSocket = null;
  }

  /** Bytes that the operating system has not accepted, READY excluded: its size is no sign of a slow client. */
  get #unsentBytes(): number {
    return (this.#socket?.writableLength ?? 0) - (this.#unsentReady?.byteLength ?? 0) + this.#batch.byteLength;
  }

  readonly #readyTaken = () => {
    const ready = this.#unsentReady;
    this.#unsentReady = null;
    ready?.onTaken();
  };

  /** A connection may be in several schedulers: the first to flush it writes all frames, the others find none. */
  #schedule(scheduler: WriteScheduler): void {
    const { highPriority, lowPriority } = this.#writeSchedulers;
    if (this.#scheduler === scheduler || this.#scheduler === highPriority) return;
    if (this.#scheduler !== null && scheduler === lowPriority) return;
    this.#scheduler = scheduler;
    scheduler.add(this);
  }

  readonly #onDrain = () => {
    this.#waitingForDrain = false;
    if (this.#state === "open" && this.#batch.frameCount > 0) this.#schedule(this.#writeSchedulers.mediumPriority);
  };

  #stop(reason: EndReason): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#batch = this.#emptyBatch;
    this.#onEnd(this, reason);
  }
}

const ownFrame: FrameKind = {};
const sharedFrame: FrameKind = { isCompressible: true };
const taggedFrame = taggedKinds(sessionTagLength);
const viewTaggedFrame = taggedKinds(viewSessionTagLength);

function taggedKinds(tagLength: number): { own: FrameKind; shared: FrameKind } {
  const own = { patchFromEnd: sessionTagFromEnd(tagLength) };
  return { own, shared: { ...own, isCompressible: true } };
}
