import type { Socket } from "node:net";
import { errorTexts, rateLimited } from "@parley/contracts";
import type { Metrics } from "@parley/service-runtime";
import type { Request, Response } from "express";
import { Counter, Gauge } from "prom-client";
import { type UnreadAnswerLimits, unreadAnswerLimits } from "./limits.js";
import { addressOf } from "./rate-limits.js";
import "./request-state.js";
import { takenFrom } from "./taken-bytes.js";

interface Entry {
  readonly reader: string;
  readonly socket: Socket;
  bytes: number;
  windowFrom: number;
  takenBefore: number;
}

/**
 * Counts the bytes of answers that the operating system has not taken yet, since their readers do not read, by reader.
 * A reader with too many gets 429 instead of another answer. A reader that takes less than it has to loses its connection,
 * and so does the one with most bytes when those of all readers are too many: the others never wait for it.
 */
export class UnreadAnswers {
  readonly #limits: UnreadAnswerLimits;
  /** The one that has waited longest comes first. */
  readonly #entries = new Map<Response, Entry>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  readonly #cut: Counter<"reason">;
  readonly #timer: NodeJS.Timeout;

  /** @param limits other ones than the usual, for tests */
  constructor(metrics: Metrics, limits: UnreadAnswerLimits = unreadAnswerLimits) {
    this.#limits = limits;
    const registers = [metrics.registry];
    const gauge: Gauge = new Gauge({
      name: "http_unread_answer_bytes",
      help: "Bytes of answers that wait in this process for their readers",
      registers,
      collect: () => gauge.set(this.#bytes),
    });
    this.#cut = new Counter({
      name: "http_unread_answers_cut_total",
      help: "Connections that were closed because their reader did not take its answer",
      labelNames: ["reason"],
      registers,
    });
    this.#timer = setInterval(() => this.#check(), limits.checkMs);
    this.#timer.unref();
  }

  /** Bytes that wait for all readers. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * To be called before the work for an account's answer, and for each answer that is sent whole once its size is known.
   *
   * @param bytes size of the answer
   * @throws ServiceError 429 when its reader has not taken those before
   */
  requireRoom(request: Request, bytes?: number): void {
    const { smallBytesMax, readerBytesMax } = this.#limits;
    if (this.#bytes === 0 || (bytes !== undefined && bytes <= smallBytesMax)) return;
    const waiting = this.#bytesOf.get(readerOf(request)) ?? 0;
    if (waiting === 0 || waiting + (bytes ?? 0) < readerBytesMax) return;
    throw rateLimited("unread_answers", errorTexts.rate_limited, 1);
  }

  /** To be called after each write to a response, and after its end. */
  readonly wrote = (response: Response): void => {
    const bytes = response.req.socket.destroyed ? 0 : response.writableLength;
    const known = this.#entries.get(response);
    if (known !== undefined) this.#count(known, bytes);
    else if (bytes > 0) this.#add(response, bytes);
    while (this.#bytes > this.#limits.bytesMax && this.#cutLargest());
  };

  close(): void {
    clearInterval(this.#timer);
  }

  #add(response: Response, bytes: number): void {
    const { req: request } = response;
    const { socket } = request;
    const entry = {
      reader: readerOf(request),
      socket,
      bytes: 0,
      windowFrom: performance.now(),
      takenBefore: takenFrom(socket),
    };
    this.#entries.set(response, entry);
    this.#count(entry, bytes);
    response.on("drain", () => this.#count(entry, response.writableLength));
    response.once("close", () => {
      this.#count(entry, 0);
      this.#entries.delete(response);
    });
  }

  #count(entry: Entry, bytes: number): void {
    const change = bytes - entry.bytes;
    entry.bytes = bytes;
    this.#bytes += change;
    const ofReader = (this.#bytesOf.get(entry.reader) ?? 0) + change;
    if (ofReader === 0) this.#bytesOf.delete(entry.reader);
    else this.#bytesOf.set(entry.reader, ofReader);
  }

  #check(): void {
    const { windowMs, takenBytesMin } = this.#limits;
    const now = performance.now();
    for (const [response, entry] of this.#entries) {
      // An answer that waits behind others on its connection emits no `close`.
      if (entry.socket.destroyed) this.#entries.delete(response);
      this.#count(entry, entry.socket.destroyed ? 0 : response.writableLength);
      if (entry.bytes > 0 && now - entry.windowFrom < windowMs) continue;
      const taken = takenFrom(entry.socket);
      if (entry.bytes > 0 && taken - entry.takenBefore < takenBytesMin) this.#close(response, "slow");
      entry.windowFrom = now;
      entry.takenBefore = taken;
    }
  }

  /** Closes the connection of the oldest answer to the reader with most bytes. @returns false when none waits */
  #cutLargest(): boolean {
    let largest = "";
    for (const [reader, bytes] of this.#bytesOf) if (bytes > (this.#bytesOf.get(largest) ?? 0)) largest = reader;
    for (const [response, { reader, bytes }] of this.#entries) {
      if (reader !== largest || bytes === 0) continue;
      this.#close(response, "room");
      return true;
    }
    return false;
  }

  #close(response: Response, reason: "slow" | "room"): void {
    const { socket } = response.req;
    this.#cut.inc({ reason });
    // The other answers on the same connection go with it, before the close is announced.
    for (const entry of this.#entries.values()) if (entry.socket === socket) this.#count(entry, 0);
    socket.destroy();
  }
}

/** An account, or an address without one. */
const readerOf = (request: Request): string => request.state?.identity?.userId ?? addressOf(request);
