import { joined, sum } from "../measure.js";
import { type Program, startProgram } from "../program.js";
import { type Dialect, plain } from "./connection.js";
import type { ChurnOptions, ClientFunctions } from "./process.js";

/** Connections that become ready at a time, unless a benchmark wants them all at once. */
const inFlightMax = 64;

/** How many become ready at a time, how they speak, and the number of the first. */
interface ConnectOptions {
  inFlight?: number;
  dialect?: Dialect;
  first?: number;
}

/** The arrivals at all clients together. */
export interface Delivery {
  /** Frames that were to arrive, and that did. */
  expected: number;
  counted: number;
  /** Sockets that got exactly their due frames, of all. */
  complete: number;
  sockets: number;
  /** By the machine's monotonic clock. */
  lastAt: number;
  /** When timed: from the sending to the arrival of each frame, ascending. */
  delaysMs: Float64Array;
}

/** The arrivals at the clients of one process. */
export type Collected = Awaited<ReturnType<ClientFunctions["collect"]>>;
/** The arrivals at clients whose gateway had died. */
export type Continued = Awaited<ReturnType<Clients["continue"]>>;

/** Clients in processes of their own, so that their reading delays no server and no other measurement. */
export class Clients {
  readonly #processes: readonly { program: Program<ClientFunctions>; numbers: number[] }[];
  #sockets = 0;

  constructor(processes: number) {
    this.#processes = Array.from({ length: processes }, () => ({
      program: startProgram<ClientFunctions>("clients/process"),
      numbers: [],
    }));
  }

  get pids(): number[] {
    return this.#processes.map(({ program }) => program.pid);
  }

  /**
   * Opens one connection per path, to the servers in turns. The number of each client is the position of its path, from
   * `first` on.
   *
   * @returns when each was ready, in milliseconds from the beginning, ascending
   */
  async tryConnect(
    servers: readonly { port: number }[],
    paths: readonly string[],
    { inFlight = inFlightMax, dialect = plain, first = 0 }: ConnectOptions = {},
  ): Promise<{ readyMs: Float64Array; failed: number }> {
    const starts = paths.map((path, n) => ({ number: first + n, port: servers[n % servers.length]?.port ?? 0, path }));
    const answers = await this.#callAll(async ({ program, numbers }, index) => {
      const own = starts.filter((_, position) => position % this.#processes.length === index);
      const answer = await program.call("connect", dialect, own, Math.ceil(inFlight / this.#processes.length));
      for (const number of answer.connected) numbers.push(number);
      return answer;
    });
    const startedAt = Math.min(...answers.map((answer) => answer.startedAt));
    const readyMs = joined(answers.map(({ readyAt }) => readyAt.map((at) => at - startedAt)));
    this.#sockets += readyMs.length;
    return { readyMs, failed: paths.length - readyMs.length };
  }

  /** The same; throws when a client does not become ready. */
  async connect(
    servers: readonly { port: number }[],
    paths: readonly string[],
    options: ConnectOptions = {},
  ): Promise<void> {
    const { failed } = await this.tryConnect(servers, paths, options);
    if (failed > 0) throw new Error(`${failed} of ${paths.length} connections failed`);
  }

  /** Counts frames from now on whose payload has that length, or all, and events by number of resumable clients. */
  async begin({ payloadBytes = -1, timed = true }: { payloadBytes?: number | "all"; timed?: boolean }): Promise<void> {
    await this.#callAll(({ program }) => program.call("begin", payloadBytes, timed));
  }

  /** @param sentAt when each event was sent, each of them to everybody */
  async finish(sentAt: readonly number[]): Promise<Delivery> {
    const collected = await this.collect(() => sentAt.length);
    return {
      expected: this.#sockets * sentAt.length,
      counted: sum(collected.map(({ counted }) => counted)),
      complete: sum(collected.map(({ complete }) => complete)),
      sockets: this.#sockets,
      lastAt: Math.max(...collected.map(({ lastAt }) => lastAt)),
      delaysMs: joined(
        collected.map(({ arrivedAt, events }) =>
          arrivedAt.map((at, index) => at - (sentAt[events[index] ?? -1] ?? Number.NaN)),
        ),
      ),
    };
  }

  /** @param expected how many events each client is to get; ends when all have come, or none comes any more */
  collect(expected: (client: number) => number): Promise<Collected[]> {
    return this.#callAll(({ program, numbers }) => program.call("collect", sum(numbers.map(expected))));
  }

  /** The same for how many all are to get together, in one process. */
  collectAll(events: number): Promise<Collected[]> {
    return this.#callAll(({ program }) => program.call("collect", events));
  }

  /** Once their gateway is dead: all reconnect at once, each with its last cursor. */
  async continue(...ports: readonly number[]) {
    const answers = await this.#callAll(({ program }) => program.call("continue", ports));
    const startedAt = Math.min(...answers.map((answer) => answer.startedAt));
    const answeredMs = joined(answers.map(({ answeredAt }) => answeredAt.map((at) => at - startedAt)));
    const total: Record<string, number> = {};
    for (const [name, times] of answers.flatMap((answer) => Object.entries(answer.answers))) {
      total[name] = (total[name] ?? 0) + times;
    }
    return {
      /** From the first reconnect to each RESUMED or READY, ascending. */
      answeredMs,
      /** When the first reconnected and the last was answered, by the machine's monotonic clock. */
      startedAt,
      endedAt: startedAt + (answeredMs.at(-1) ?? 0),
      /** RESUMED, or the reason for READY, by how many got it. */
      answers: total,
      /** Connections that ended before the answer; their clients tried again. */
      cut: sum(answers.map(({ cut }) => cut)),
      failed: sum(answers.map(({ failed }) => failed)),
      /** Clients that did not get RESUMED: they have to read their missed data again. */
      begunAnew: new Set(answers.flatMap(({ begunAnew }) => begunAnew)),
    };
  }

  /** Opens connections at a rate and closes each a while after it is ready. */
  async churn({ port }: { port: number }, { paths, perSecond, ...times }: ChurnOptions) {
    const answers = await this.#callAll(({ program }, index) => {
      const own = paths.filter((_, position) => position % this.#processes.length === index);
      return program.call("churn", port, { paths: own, perSecond: perSecond / this.#processes.length, ...times });
    });
    const total = (key: "opened" | "ready" | "failed") => sum(answers.map((answer) => answer[key]));
    return { opened: total("opened"), ready: total("ready"), failed: total("failed") };
  }

  async disconnect(): Promise<void> {
    await this.#callAll(({ program, numbers }) => {
      numbers.length = 0;
      return program.call("disconnect");
    });
    this.#sockets = 0;
  }

  async stop(): Promise<void> {
    await this.#callAll(({ program }) => program.stop());
  }

  #callAll<Answer>(
    call: (process: { program: Program<ClientFunctions>; numbers: number[] }, index: number) => Promise<Answer>,
  ): Promise<Answer[]> {
    return Promise.all(this.#processes.map(call));
  }
}
