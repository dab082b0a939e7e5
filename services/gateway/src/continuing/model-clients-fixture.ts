import { setTimeout as pause } from "node:timers/promises";
import type { GatewayAddress, ReceivedFrame, TestClient } from "../gateway-fixture.js";
import { openNumbered } from "./continuing-fixture.js";

/** What a user's client saw since its last READY, over all connections. */
export class ModelClient {
  /** Numbers of the messages, in the order in which they came. */
  seen: number[] = [];
  resyncs: unknown[] = [];
  resumed = 0;
  /** Number of the last message that was posted when READY came. */
  readyAt = 0;
  isConnected = false;
  /** Events about servers that only mark a place in the stream. */
  readonly marks = new Set<unknown>();
  /** Number of the message after which the connection is cut. */
  cutBehind: number | null = null;
  #known = new Set<number>();
  #cursor = "";
  #client: TestClient | null = null;
  #stopped = false;
  #back: Promise<void> = Promise.resolve();
  #comeBack = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(
    readonly userId: string,
    private readonly nodeOf: () => GatewayAddress,
    private readonly posted: () => number,
  ) {}

  has(number: number): boolean {
    return this.#known.has(number);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Cuts the connection without a closing handshake, wherever it is. */
  cut(): void {
    this.#client?.socket.terminate();
  }

  /** Cuts the connection, and opens none before {@link comeBack}. */
  async leave(): Promise<void> {
    this.#back = new Promise((resolve) => {
      this.#comeBack = resolve;
    });
    this.cut();
    await this.#client?.closed;
  }

  comeBack(): void {
    this.#comeBack();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.cut();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (; !this.#stopped; await this.#back) {
      const client = openNumbered(this.nodeOf(), this.userId, this.#cursor);
      this.#client = client;
      client.socket.on("message", (data) => this.#take(JSON.parse(String(data))));
      await client.closed;
      this.isConnected = false;
      await pause(20);
    }
  }

  #take({ t, d, s }: ReceivedFrame): void {
    if (t === "READY") {
      if (this.#cursor !== "") this.resyncs.push(d.resync);
      this.seen = [];
      this.#known = new Set();
      this.readyAt = this.posted();
    }
    if (t === "RESUMED") this.resumed += 1;
    if (t === "READY" || t === "RESUMED") this.isConnected = true;
    if (t === "MESSAGE_CREATE" || t === "DM_MESSAGE_CREATE") {
      this.seen.push(Number(d.content));
      this.#known.add(Number(d.content));
    }
    if (t === "INVITE_DELETE") this.marks.add(d.invite_id);
    if (s !== undefined) this.#cursor = s;
    if (this.cutBehind !== null && this.has(this.cutBehind)) {
      this.cutBehind = null;
      this.cut();
    }
  }
}

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
