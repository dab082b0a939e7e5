import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import { clientTextFrame, type FrameSink, ReaderClient } from "../clients/connection.js";
import { HostileCommand, type HostileLoad, type HostileLoad as HostileLoadShape } from "./load.js";

type Load<Kind extends HostileLoad["kind"]> = Extract<z.output<typeof HostileLoadShape>, { kind: Kind }>;

const stepMs = 10;
/** How long a hostile client waits for an answer. */
const answerTimeoutMs = 30_000;
/** A client of ours does not pile up what the server does not read. */
const unsentBytesMax = 256 * 1024;
const reconnectPauseMs = 100;
/** The most that one write carries. */
const batchFramesMax = 10_000;
const sink: FrameSink = { payloadBytes: -1, onFrames: () => undefined };

/** One run of loads: it ends when `over` is set, and everything it opened is closed. */
class HostileRun {
  over = false;
  done = 0;
  readonly answers: Record<string, number> = {};
  readonly #startedAt = performance.now();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #clients = new Set<ReaderClient>();
  readonly #sockets: Socket[] = [];
  #next = 0;
  #inFlight = 0;

  async start(load: z.output<typeof HostileLoadShape>): Promise<void> {
    if (load.kind === "requests") void this.#sendRequests(load);
    else if (load.kind === "reconnects") for (const path of load.paths) void this.#reconnect(load, path);
    else if (load.kind === "unfinished") await this.#openUnfinished(load);
    else await this.#holdSockets(load);
  }

  stop() {
    this.over = true;
    if (this.#inFlight > 0) this.answers.unanswered = this.#inFlight;
    this.#agent.destroy();
    for (const client of this.#clients) client.destroy();
    for (const socket of this.#sockets) socket.destroy();
    return { seconds: (performance.now() - this.#startedAt) / 1_000, answers: this.answers, done: this.done };
  }

  /** Calls `send` at a rate, in batches of what is due. */
  async #pace(perSecond: number, send: (count: number) => void): Promise<void> {
    const startedAt = performance.now();
    let sent = 0;
    while (!this.over) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) - sent;
      if (due > 0) send(due);
      sent += due;
      await pause(stepMs);
    }
  }

  async #sendRequests({ requests, perSecond, inFlightMax, once }: Load<"requests">): Promise<void> {
    let next = 0;
    await this.#pace(perSecond, (count) => {
      for (let n = 0; n < count && this.#inFlight < inFlightMax; n += 1) {
        const each = requests[once ? next : next % requests.length];
        if (each === undefined) return;
        next += 1;
        this.#inFlight += 1;
        void this.#send(each).then((answer) => {
          this.#inFlight -= 1;
          if (!this.over) this.answers[answer] = (this.answers[answer] ?? 0) + 1;
        });
      }
    });
  }

  #send({ method, url, headers, body }: Load<"requests">["requests"][number]): Promise<string> {
    return new Promise((resolve) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const outgoing = request(url, { method, agent: this.#agent, headers: { ...headers, ...type, ...length } });
      outgoing.setTimeout(answerTimeoutMs, () => outgoing.destroy());
      outgoing.on("response", (response) => {
        response.resume();
        response.on("close", () => resolve(response.complete ? String(response.statusCode) : "no answer"));
      });
      outgoing.on("error", () => resolve("no answer"));
      outgoing.end(body);
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
    first: ReaderClient,
    { port, path, frames, perSecond }: { port: number; path: string; frames: Buffer[]; perSecond: number },
  ): Promise<void> {
    let client = first;
    const keepOpen = async () => {
      while (!this.over) {
        await client.closed();
        this.#clients.delete(client);
        await pause(reconnectPauseMs);
        if (!this.over) client = this.#open(port, path);
      }
    };
    void keepOpen();
    if (frames.length === 0) return;
    await this.#pace(perSecond, (due) => {
      if (client.unsentBytes > unsentBytesMax) return;
      const count = Math.min(due, batchFramesMax);
      if (client.write(takeFrames(frames, this.#next, count))) this.done += count;
      this.#next += count;
    });
  }

  async #reconnect({ port, frames }: Load<"reconnects">, path: string): Promise<void> {
    while (!this.over) {
      const client = this.#open(port, path, frames);
      if (await client.ready) this.done += 1;
      else await pause(reconnectPauseMs);
      client.destroy();
      this.#clients.delete(client);
    }
  }

  /** @param helloFrames after which it is ready */
  #open(port: number, path: string, helloFrames = 1): ReaderClient {
    const client = new ReaderClient({ port, path, dialect: { greeting: null, helloFrames } }, sink);
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
      if (socket.write("POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n")) this.done += 1;
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

let run: HostileRun | null = null;
process.on("message", (message) => void obey(HostileCommand.parse(message)));
process.on("disconnect", () => process.exit(0));

async function obey(command: z.output<typeof HostileCommand>): Promise<void> {
  if (command.command === "stop") {
    process.send?.(run?.stop());
    return;
  }
  const started = new HostileRun();
  run = started;
  await Promise.all(command.loads.map((load) => started.start(load)));
  process.send?.("started");
}
