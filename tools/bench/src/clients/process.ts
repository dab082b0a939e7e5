import { setTimeout as pause } from "node:timers/promises";
import { clockMs, repeat, sendSteadily, timer } from "../measure.js";
import { serve } from "../program.js";
import { Arrivals } from "./arrivals.js";
import { Client, type Records } from "./client.js";
import { type Dialect, plain } from "./connection.js";

/** A connection to be opened. */
export interface Start {
  number: number;
  port: number;
  path: string;
}

/** After so long without an event none is expected any more. */
const quietMs = 15_000;

/** The clients of this process. */
const clients: Client[] = [];
const arrivals = new Arrivals();
const records = {
  payloadBytes: -1 as number | "all",
  onEvents: ({ number }, first, count) => arrivals.add(number, first, count),
} satisfies Records;

const functions = {
  /** Opens one connection per path; at most `inFlight` wait for being ready at a time. */
  async connect(dialect: Dialect, starts: readonly Start[], inFlight: number) {
    const startedAt = clockMs();
    const readyAt: number[] = [];
    const connected: number[] = [];
    await repeat(starts.length, inFlight, async (n) => {
      const { number, port, path } = starts[n] ?? { number: n, port: 0, path: "/" };
      const client = new Client(number, { port, path, dialect }, records);
      if (!(await client.connect())) return;
      readyAt.push(clockMs());
      connected.push(number);
      clients.push(client);
    });
    return { startedAt, readyAt: Float64Array.from(readyAt), connected };
  },

  /**
   * Counts from zero from now on. Every socket pings first, so that no server takes it for idle, and the answer comes
   * when all pongs are there, so that reading them does not slow the server's next work down.
   */
  async begin(payloadBytes: number | "all", timed: boolean) {
    records.payloadBytes = payloadBytes;
    arrivals.begin(timed);
    for (const client of clients) client.counted = 0;
    await Promise.all(clients.map((client) => client.ping()));
  },

  /** Answers when so many events have arrived since the beginning, or none has come for a while. */
  async collect(events: number) {
    return {
      ...(await arrivals.collect(events, quietMs)),
      /** Clients that got as many as the others are to get. */
      complete: clients.filter((client) => client.counted === events / clients.length).length,
    };
  },

  /** Waits until every connection has ended, then opens all again at once, each with its last cursor, to the ports in turn. */
  async continue(ports: readonly number[]) {
    await Promise.all(clients.map((client) => client.closed()));
    const startedAt = clockMs();
    const answeredAt: number[] = [];
    const answers: Record<string, number> = {};
    let cut = 0;
    await repeat(clients.length, clients.length, async (n) => {
      const client = clients[n];
      cut += (await client?.continue(ports[n % ports.length] ?? 0)) ?? 0;
      const answer = client?.answer;
      if (answer === null || answer === undefined) return;
      answeredAt.push(clockMs());
      answers[answer] = (answers[answer] ?? 0) + 1;
    });
    return {
      startedAt,
      /** When each client that got an answer had RESUMED or READY. */
      answeredAt: Float64Array.from(answeredAt),
      answers,
      cut,
      failed: clients.length - answeredAt.length,
      begunAnew: clients.filter(({ answer }) => answer !== "RESUMED").map(({ number }) => number),
    };
  },

  /** Opens connections at a rate and closes each a while after it is ready. */
  async churn(port: number, { paths, perSecond, durationMs, holdMs }: ChurnOptions) {
    const isOver = timer(durationMs);
    let ready = 0;
    const opened = await sendSteadily({ perSecond, isDone: isOver }, async (n) => {
      const client = new Client(n, { port, path: paths[n % paths.length] ?? "/", dialect: plain }, records);
      if (!(await client.connect())) return;
      await pause(holdMs);
      // Half of them say goodbye, the others are gone.
      await client.end(n % 2 === 0);
      ready += 1;
    });
    return { opened: opened.length, ready, failed: opened.length - ready };
  },

  async disconnect() {
    await Promise.all(clients.splice(0).map((client) => client.end()));
  },
};
export type ClientFunctions = typeof functions;

export interface ChurnOptions {
  paths: readonly string[];
  perSecond: number;
  durationMs: number;
  holdMs: number;
}

serve(functions);
