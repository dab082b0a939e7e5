import { setTimeout as pause } from "node:timers/promises";
import { clockMs } from "../clock.js";
import { type FrameSink, ReaderClient } from "./connection.js";
import { type ReaderAnswers, ReaderCommand } from "./reader-protocol.js";

type Command<C extends ReaderCommand["command"]> = Extract<ReaderCommand, { command: C }>;

const churnStepMs = 5;

/** One reader process: it holds the client side of many connections and counts what arrives. */
class Reader implements FrameSink {
  payloadBytes = -1;
  #clients: ReaderClient[] = [];
  #counted = 0;
  #lastAt = 0;
  #timed = false;
  #arrivedAt: number[] = [];
  #numbers: number[] = [];
  #awaited = Number.POSITIVE_INFINITY;
  #onAwaited: () => void = () => undefined;

  onFrames(client: ReaderClient, found: number): void {
    this.#lastAt = clockMs();
    if (this.#timed) {
      for (let number = client.counted; number < client.counted + found; number += 1) {
        this.#arrivedAt.push(this.#lastAt);
        this.#numbers.push(number);
      }
    }
    client.counted += found;
    this.#counted += found;
    if (this.#counted >= this.#awaited) this.#onAwaited();
  }

  async connect({ port, paths, dialect, inFlightMax }: Command<"connect">): Promise<ReaderAnswers["connect"]> {
    const startedAt = clockMs();
    const readyAt: number[] = [];
    let next = 0;
    let failed = 0;
    const lane = async () => {
      for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
        const client = new ReaderClient({ port, path, dialect }, this);
        if (await client.ready) {
          readyAt.push(clockMs());
          this.#clients.push(client);
        } else {
          failed += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(inFlightMax, paths.length) }, lane));
    return { startedAt, readyAt: Float64Array.from(readyAt), failed };
  }

  async begin({ payloadBytes, timed }: Command<"begin">): Promise<ReaderAnswers["begin"]> {
    this.payloadBytes = payloadBytes;
    this.#timed = timed;
    this.#counted = 0;
    this.#arrivedAt = [];
    this.#numbers = [];
    for (const client of this.#clients) client.counted = 0;
    await Promise.all(this.#clients.map((client) => client.ping()));
    return {};
  }

  async finish({ framesPerSocket, timeoutMs }: Command<"finish">): Promise<ReaderAnswers["finish"]> {
    this.#awaited = framesPerSocket * this.#clients.length;
    if (this.#counted < this.#awaited) {
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, timeoutMs);
        this.#onAwaited = () => {
          clearTimeout(timeout);
          resolve();
        };
      });
    }
    this.#awaited = Number.POSITIVE_INFINITY;
    return {
      counted: this.#counted,
      complete: this.#clients.filter(({ counted }) => counted === framesPerSocket).length,
      lastAt: this.#lastAt,
      arrivedAt: Float64Array.from(this.#arrivedAt),
      numbers: Uint32Array.from(this.#numbers),
    };
  }

  async churn({ port, paths, dialect, ...times }: Command<"churn">): Promise<ReaderAnswers["churn"]> {
    const startedAt = clockMs();
    const visits: Promise<boolean>[] = [];
    const visit = async (path: string, isPolite: boolean) => {
      const client = new ReaderClient({ port, path, dialect }, this);
      if (!(await client.ready)) return false;
      await pause(times.holdMs);
      // Half of them say goodbye, the others are gone.
      if (isPolite) client.close();
      else client.destroy();
      await client.closed();
      return true;
    };
    for (let elapsedMs = 0; elapsedMs < times.durationMs; elapsedMs = clockMs() - startedAt) {
      while (visits.length < (elapsedMs / 1_000) * times.perSecond) {
        visits.push(visit(paths[visits.length % paths.length] ?? "/", visits.length % 2 === 0));
      }
      await pause(churnStepMs);
    }
    const ready = (await Promise.all(visits)).filter((isReady) => isReady).length;
    return { opened: visits.length, ready, failed: visits.length - ready };
  }

  async disconnect(): Promise<ReaderAnswers["disconnect"]> {
    const clients = this.#clients;
    this.#clients = [];
    for (const client of clients) client.destroy();
    await Promise.all(clients.map((client) => client.closed()));
    return {};
  }
}

const reader = new Reader();

function obey(command: ReaderCommand): object | Promise<object> {
  switch (command.command) {
    case "connect":
      return reader.connect(command);
    case "begin":
      return reader.begin(command);
    case "finish":
      return reader.finish(command);
    case "churn":
      return reader.churn(command);
    case "disconnect":
      return reader.disconnect();
  }
}

process.on("message", async (message) => process.send?.(await obey(ReaderCommand.parse(message))));
// The benchmark is over, however it ended.
process.on("disconnect", () => process.exit());
