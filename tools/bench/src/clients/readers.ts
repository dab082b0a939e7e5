import type { Contestant } from "../gateway/contestants.js";
import { forkBenchChild } from "../program.js";
import { type ReaderAnswers, type ReaderCommand, readerAnswers } from "./reader-protocol.js";

/** Connections that become ready at a time, unless a benchmark wants them all at once. */
const inFlightMax = 64;
/** How long the last frame may take. */
const deliveryTimeoutMs = 180_000;

/** What all readers together have got. */
export interface Delivery {
  /** Frames that were to arrive, and that did. */
  expected: number;
  counted: number;
  /** Sockets that got exactly what they were to get, of all. */
  complete: number;
  sockets: number;
  /** By the machine's monotonic clock. */
  lastAt: number;
  /** When timed: from the sending to the arrival of each frame, ascending. */
  delaysMs: Float64Array;
}

/** The reader processes of a benchmark. */
export interface Readers {
  /** Opens so many connections; throws when one of them does not become ready. */
  connect(contestant: Contestant, connections: number): Promise<void>;
  /** Opens one connection per path, and says when each was ready, in milliseconds from the beginning, ascending. */
  connectPaths(
    contestant: Pick<Contestant, "port" | "dialect">,
    paths: readonly string[],
    inFlight: number,
  ): Promise<{ readyMs: Float64Array; failed: number }>;
  begin(contestant: Pick<Contestant, "payloadBytes">, options: { body: string; timed: boolean }): Promise<void>;
  /** @param sentAt when each event was sent */
  finish(sentAt: readonly number[]): Promise<Delivery>;
  churn(
    contestant: Pick<Contestant, "port" | "dialect">,
    options: { paths: readonly string[]; perSecond: number; durationMs: number; holdMs: number },
  ): Promise<ReaderAnswers["churn"]>;
  disconnect(): Promise<void>;
  stop(): Promise<void>;
}

export function startReaders(processes: number): Readers {
  const readers = Array.from({ length: processes }, () => forkBenchChild("clients/reader"));
  let sockets = 0;

  const share = <Item>(items: readonly Item[], index: number) =>
    items.filter((_, position) => position % readers.length === index);

  async function connectPaths(
    { port, dialect }: Pick<Contestant, "port" | "dialect">,
    paths: readonly string[],
    inFlight: number,
  ) {
    const answers = await Promise.all(
      readers.map((reader, index) =>
        reader.ask(
          {
            command: "connect",
            port,
            dialect,
            paths: share(paths, index),
            inFlightMax: Math.ceil(inFlight / readers.length),
          } satisfies ReaderCommand,
          readerAnswers.connect,
        ),
      ),
    );
    const startedAt = Math.min(...answers.map((answer) => answer.startedAt));
    const readyMs = joined(answers.map(({ readyAt }) => readyAt.map((at) => at - startedAt)));
    sockets += readyMs.length;
    return { readyMs, failed: sum(answers.map(({ failed }) => failed)) };
  }

  return {
    connectPaths,
    async connect(contestant, connections) {
      const paths = Array.from({ length: connections }, (_, index) => contestant.path(index));
      const { failed } = await connectPaths(contestant, paths, inFlightMax);
      if (failed > 0) throw new Error(`${contestant.name}: ${failed} of ${connections} connections failed`);
    },
    async begin({ payloadBytes }, { body, timed }) {
      const command = { command: "begin", payloadBytes: payloadBytes(body), timed } satisfies ReaderCommand;
      await Promise.all(readers.map((reader) => reader.ask(command, readerAnswers.begin)));
    },
    async finish(sentAt) {
      const command = {
        command: "finish",
        framesPerSocket: sentAt.length,
        timeoutMs: deliveryTimeoutMs,
      } satisfies ReaderCommand;
      const answers = await Promise.all(readers.map((reader) => reader.ask(command, readerAnswers.finish)));
      return {
        expected: sockets * sentAt.length,
        counted: sum(answers.map(({ counted }) => counted)),
        complete: sum(answers.map(({ complete }) => complete)),
        sockets,
        lastAt: Math.max(...answers.map(({ lastAt }) => lastAt)),
        delaysMs: joined(
          answers.map(({ arrivedAt, numbers }) =>
            arrivedAt.map((at, index) => at - (sentAt[numbers[index] ?? -1] ?? Number.NaN)),
          ),
        ),
      };
    },
    async churn({ port, dialect }, { paths, perSecond, ...times }) {
      const answers = await Promise.all(
        readers.map((reader, index) =>
          reader.ask(
            {
              command: "churn",
              port,
              dialect,
              paths: share(paths, index),
              perSecond: perSecond / readers.length,
              ...times,
            } satisfies ReaderCommand,
            readerAnswers.churn,
          ),
        ),
      );
      const total = (key: "opened" | "ready" | "failed") => sum(answers.map((answer) => answer[key]));
      return { opened: total("opened"), ready: total("ready"), failed: total("failed") };
    },
    async disconnect() {
      await Promise.all(
        readers.map((reader) =>
          reader.ask({ command: "disconnect" } satisfies ReaderCommand, readerAnswers.disconnect),
        ),
      );
      sockets = 0;
    },
    async stop() {
      await Promise.all(readers.map((reader) => reader.stop()));
    },
  };
}

/** All of them together. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The values of all parts, ascending. */
export function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(sum(parts.map(({ length }) => length)));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}
