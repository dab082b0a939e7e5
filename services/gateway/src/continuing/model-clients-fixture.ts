import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { GatewayAddress, ReceivedFrame, TestClient } from "../gateway-fixture.js";
import { openNumbered } from "./continuing-fixture.js";

const ReadyServers = z.object({ servers: z.array(z.object({ id: z.string() })) });
const ServerJoin = z.object({ server: z.object({ id: z.string() }) });

/** The messages of the world, numbered from 1. */
interface Messages {
  /** Number of the newest. */
  posted(): number;
  /** The server of a message; null for a direct one. */
  serverOf(number: number): string | null;
}

/** A user's client: the messages since its last READY, over all connections. */
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
  /** The servers that READY, SERVER_JOIN and SERVER_LEAVE have named. */
  servers = new Set<unknown>();
  /** Messages that came while the client knew nothing of their server, with `v=2`. */
  readonly strays: number[] = [];
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
    private readonly world: Messages,
    readonly hearsChanges: boolean,
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
      const client = openNumbered(this.nodeOf(), this.userId, this.#cursor, this.hearsChanges ? "&v=2" : "");
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
      this.readyAt = this.world.posted();
      this.servers = new Set(ReadyServers.parse(d).servers.map(({ id }) => id));
    }
    if (t === "SERVER_JOIN") this.servers.add(ServerJoin.parse(d).server.id);
    if (t === "SERVER_LEAVE") this.servers.delete(d.server_id);
    if (t === "RESUMED") this.resumed += 1;
    if (t === "READY" || t === "RESUMED") this.isConnected = true;
    if (t === "MESSAGE_CREATE" || t === "DM_MESSAGE_CREATE") {
      const number = Number(d.content);
      this.seen.push(number);
      this.#known.add(number);
      const serverId = this.world.serverOf(number);
      if (this.hearsChanges && serverId !== null && !this.servers.has(serverId)) this.strays.push(number);
    }
    if (t === "INVITE_DELETE") this.marks.add(d.invite_id);
    if (s !== undefined) this.#cursor = s;
    if (this.cutBehind !== null && this.has(this.cutBehind)) {
      this.cutBehind = null;
      this.cut();
    }
  }
}
