import { forkBenchChild } from "../program.js";
import { type NumberedAnswers, type NumberedCommand, numberedAnswers } from "./numbered-protocol.js";
import { joined, sum } from "./readers.js";

/** Connections that become ready at a time while nothing is measured. */
const inFlightMax = 64;
/** After so long without an event none is expected any more. */
const quietMs = 5_000;

/** A client by its number and the path with which it connects. */
export interface ClientStart {
  number: number;
  path: string;
}

/** What clients got whose gateway had died. */
export interface Continued {
  /** From the first reconnect to each RESUMED or READY, ascending. */
  answeredMs: Float64Array;
  /** When the first reconnected and the last was answered, by the machine's monotonic clock. */
  startedAt: number;
  endedAt: number;
  /** RESUMED, or the reason for READY, by how many got it. */
  answers: Record<string, number>;
  /** Connections that ended before the answer; their clients tried again. */
  cut: number;
  failed: number;
  /** Clients that did not get RESUMED: they have to read again what they missed. */
  begunAnew: ReadonlySet<number>;
}

/** Processes of numbered clients, which remember what they got. */
export interface NumberedReaders {
  readonly pids: readonly number[];
  /** Throws when a client does not become ready. */
  connect(port: number, clients: readonly ClientStart[]): Promise<void>;
  /** Once their gateway is dead: all reconnect at once, each with its last cursor. */
  continue(port: number): Promise<Continued>;
  /** @param expected how many events each client is to get; ends when all have come, or none comes any more */
  collect(expected: (client: number) => number): Promise<NumberedAnswers["collect"][]>;
  stop(): Promise<void>;
}

export function startNumberedReaders(processes: number): NumberedReaders {
  const readers = Array.from({ length: processes }, () => {
    const clients: ClientStart[] = [];
    return { child: forkBenchChild("clients/numbered-reader"), clients };
  });

  return {
    pids: readers.map(({ child }) => child.pid),
    async connect(port, clients) {
      for (const [index, client] of clients.entries()) readers[index % readers.length]?.clients.push(client);
      const answers = await Promise.all(
        readers.map(({ child, clients: own }) =>
          child.ask(
            {
              command: "connect",
              port,
              clients: own,
              inFlightMax: Math.ceil(inFlightMax / processes),
            } satisfies NumberedCommand,
            numberedAnswers.connect,
          ),
        ),
      );
      const failed = sum(answers.map((answer) => answer.failed));
      if (failed > 0) throw new Error(`${failed} of ${clients.length} connections failed`);
    },
    async continue(port) {
      const answers = await Promise.all(
        readers.map(({ child }) =>
          child.ask({ command: "continue", port } satisfies NumberedCommand, numberedAnswers.continue),
        ),
      );
      const startedAt = Math.min(...answers.map((answer) => answer.startedAt));
      const answeredMs = joined(answers.map(({ answeredAt }) => answeredAt.map((at) => at - startedAt)));
      const total: Record<string, number> = {};
      for (const [name, times] of answers.flatMap((answer) => Object.entries(answer.answers))) {
        total[name] = (total[name] ?? 0) + times;
      }
      return {
        answeredMs,
        startedAt,
        endedAt: startedAt + (answeredMs.at(-1) ?? 0),
        answers: total,
        cut: sum(answers.map(({ cut }) => cut)),
        failed: sum(answers.map(({ failed }) => failed)),
        begunAnew: new Set(answers.flatMap(({ begunAnew }) => begunAnew)),
      };
    },
    collect: (expected) =>
      Promise.all(
        readers.map(({ child, clients }) =>
          child.ask(
            {
              command: "collect",
              events: sum(clients.map(({ number }) => expected(number))),
              quietMs,
            } satisfies NumberedCommand,
            numberedAnswers.collect,
          ),
        ),
      ),
    async stop() {
      await Promise.all(readers.map(({ child }) => child.stop()));
    },
  };
}
