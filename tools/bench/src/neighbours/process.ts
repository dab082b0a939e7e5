import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Connection, clientTextFrame, type FrameSink } from "../clients/connection.js";
import { serve } from "../program.js";
import type { HostileLoad, HostileReport, HostileRequest } from "./loads.js";

type Load<Kind extends HostileLoad["kind"]> = Extract<HostileLoad, { kind: Kind }>;

const stepMs = 10;
/** How long a hostile client waits for an answer. */
const answerTimeoutMs = 30_000;
/** A hostile client does not queue frames that the server does not read. */
const unsentBytesMax = 256 * 1024;
const reconnectPauseMs = 100;
/** Pause after a refusal that asks for one. */
const retryMs = 50;
/** The most that one write carries. */
const batchFramesMax = 10_000;
const sink: FrameSink = { payloadBytes: -1, onFrames: () => undefined };
/** One run of loads: with its end everything it opened is closed. */
class HostileRun {
  readonly report: HostileReport = { seconds: 0, answers: {}, done: 0, slowestMs: 0 };
  #isOver = false;
  readonly #startedAt = performance.now();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #clients = new Set<Connection>();
  readonly #sockets: Socket[] = [];
  #next = 0;
  #inFlight = 0;

  async start(load: HostileLoad): Promise<void> {
    if (load.kind === "requests") void this.#sendRequests(load);
    else if (load.kind === "reconnects") for (const path of load.paths) void this.#reconnect(load, path);
    else if (load.kind === "unfinished") await this.#openUnfinished(load);
    else await this.#holdSockets(load);
  }

  stop(): HostileReport {
    this.#isOver = true;
    if (this.#inFlight > 0) this.report.answers.unanswered = this.#inFlight;
    this.#agent.destroy();
    for (const client of this.#clients) client.destroy();
    for (const socket of this.#sockets) socket.destroy();
    return { ...this.report, seconds: (performance.now() - this.#startedAt) / 1_000 };
  }

  /** Calls `send` at a rate, in batches of the due number. */
  async #pace(perSecond: number, send: (count: number) => void): Promise<void> {
    const startedAt = performance.now();
    let sent = 0;
    while (!this.#isOver) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) - sent;
      if (due > 0) send(due);
      sent += due;
      await pause(stepMs);
    }
  }

  async #sendRequests({ requests, perSecond, inFlightMax, once }: Load<"requests">): Promise<void> {
    let next = 0;
    const sendNext = async () => {
      const each = requests[once ? next : next % requests.length];
      if (each === undefined) return;
      next += 1;
      this.#inFlight += 1;
      const sentAt = performance.now();
      const answer = await this.#send(each);
      this.#inFlight -= 1;
      const { answers } = this.report;
      if (!this.#isOver) {
        answers[answer] = (answers[answer] ?? 0) + 1;
        this.report.slowestMs = Math.max(this.report.slowestMs, performance.now() - sentAt);
      }
      if (perSecond !== "as answered") return;
      if (answer === "429") await pause(retryMs);
      if (!this.#isOver) void sendNext();
    };
    if (perSecond === "as answered") for (let n = 0; n < inFlightMax; n += 1) void sendNext();
    else {
      await this.#pace(perSecond, (count) => {
        for (let n = 0; n < count && this.#inFlight < inFlightMax; n += 1) void sendNext();
      });
    }
  }

  #send({ method, url, headers, body }: HostileRequest): Promise<string> {
    return new Promise((resolve) => {
      const text = body === undefined ? "" : JSON.stringify(body);
      const fields =
        body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      const outgoing = request(url, { method, agent: this.#agent, headers: { ...headers, ...fields } });
      outgoing.setTimeout(answerTimeoutMs, () => outgoing.destroy());
      outgoing.on("response", (response) => {
        response.resume();
        response.on("close", () => resolve(response.complete ? String(response.statusCode) : "no answer"));
      });
      outgoing.on("error", () => resolve("no answer"));
      outgoing.end(text);
    });
  }

  async #holdSockets({ port, paths, texts, perSecond }: Load<"sockets">): Promise<void> {
    const frames = texts.map((text) => clientTextFrame(text));
    await Promise.all(
      paths.map(async (path) => {
        const first = this.#open(port, path);
        await first.ready;
        void this.#keepSending(first, { port, path, frames, perSecond });
      }),
    );
  }

  async #keepSending(
    first: Connection,
    { port, path, frames, perSecond }: { port: number; path: string; frames: Buffer[]; perSecond: number },
  ): Promise<void> {
    let client = first;
    const keepOpen = async () => {
      while (!this.#isOver) {
        await client.closed();
        this.#clients.delete(client);
        await pause(reconnectPauseMs);
        if (!this.#isOver) client = this.#open(port, path);
      }
    };
    void keepOpen();
    if (frames.length === 0) return;
    await this.#pace(perSecond, (due) => {
      if (client.unsentBytes > unsentBytesMax) return;
      const count = Math.min(due, batchFramesMax);
      if (client.write(takeFrames(frames, this.#next, count))) this.report.done += count;
      this.#next += count;
    });
  }

  async #reconnect({ port, frames }: Load<"reconnects">, path: string): Promise<void> {
    while (!this.#isOver) {
      const client = this.#open(port, path, frames);
      if (await client.ready) this.report.done += 1;
      else await pause(reconnectPauseMs);
      client.destroy();
      this.#clients.delete(client);
    }
  }

  /** @param helloFrames after which it is ready */
  #open(port: number, path: string, helloFrames = 1): Connection {
    const client = new Connection({ port, path, dialect: { helloFrames } }, sink);
    this.#clients.add(client);
    return client;
  }

  async #openUnfinished({ port, connections }: Load<"unfinished">): Promise<void> {
    const opened = Array.from({ length: connections }, async () => {
      const socket = connect({ host: "127.0.0.1", port });
      this.#sockets.push(socket);
      // A server that closes or refuses one of these does well.
      socket.on("error", () => socket.destroy());
      socket.resume();
      await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
      const isSent = socket.write("POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n");
      if (isSent) this.report.done += 1;
    });
    await Promise.all(opened);
  }
}

/** So many frames in turns, beginning with the n-th. */
function takeFrames(frames: readonly Buffer[], n: number, count: number): Buffer {
  const [first = Buffer.alloc(0)] = frames;
  if (frames.length === 1) return Buffer.alloc(first.length * count, first);
  return Buffer.concat(Array.from({ length: count }, (_, index) => frames[(n + index) % frames.length] ?? first));
}

let run = new HostileRun();

/** The hostile tenant, in a process of its own so that its work does not delay the measurement of the quiet one. */
const functions = {
  /** Resolves when connections that the loads hold are ready. */
  async start(loads: readonly HostileLoad[]) {
    const started = new HostileRun();
    run = started;
    await Promise.all(loads.map((load) => started.start(load)));
  },

  stop: () => run.stop(),
};
export type HostileFunctions = typeof functions;

serve(functions);
