import type { Accounts } from "@parley/auth";
import { GatewayCloseCodes, GatewayOpcodes } from "discord-api-types/v10";
import type { WebSocket } from "ws";
import { DiscordError } from "../rest/errors.js";
import { type Bot, findBot } from "../rest/token.js";
import { beginSession, continueSession } from "./begin-session.js";
import { ClientSocket } from "./client-socket.js";
import { areIntents } from "./intents.js";
import {
  heartbeatIntervalMs,
  helloDelayMs,
  largeThreshold as largeThresholds,
  payloadBytesMax,
  payloadsMax,
  payloadWindowMs,
  silenceMaxMs,
} from "./limits.js";
import type { MemberRequests } from "./member-requests.js";
import { type ClientOpcode, isClientOpcode, type Payload, payloads, readEnvelope } from "./payloads.js";
import { toOwnPresence } from "./presence.js";
import type { Session } from "./session.js";
import type { Identity, SessionEnd, SessionSurroundings } from "./session-parts.js";
import { eventsFor } from "./upstream-events.js";

/** Objects that all connections share. */
export interface ConnectionSurroundings extends SessionSurroundings {
  readonly accounts: Pick<Accounts, "findBotByToken">;
  readonly members: MemberRequests;
}

/** A client's payload, or the code that a faulty one is answered with. */
function readPayload(data: Buffer): { op: ClientOpcode; payload: unknown } | GatewayCloseCodes {
  const envelope = data.length > payloadBytesMax ? null : readEnvelope(data.toString());
  if (envelope === null) return GatewayCloseCodes.DecodeError;
  const { op, d } = envelope;
  if (!isClientOpcode(op)) return GatewayCloseCodes.UnknownOpcode;
  const { data: payload, success } = payloads[op].safeParse(d);
  return success ? { op, payload } : GatewayCloseCodes.DecodeError;
}

/** The client closed it for good (docs/discord.md#rules). */
const finalCodes: readonly number[] = [1000, 1001];

/** A client's connection, from HELLO on. */
export class Connection {
  readonly socket: ClientSocket;
  #session: Session | "pending" | null = null;
  #isClosed = false;
  /** Payloads are taken one after the other. */
  #last: Promise<void> = Promise.resolve();
  #windowBegan = 0;
  #payloads = 0;
  readonly #hello: NodeJS.Timeout;
  #silence: NodeJS.Timeout | undefined;

  constructor(
    private readonly surroundings: ConnectionSurroundings,
    webSocket: WebSocket,
    private readonly options: Pick<Identity, "origin" | "forwardedFor"> & {
      /** Of Discord's gateway. */
      readonly version: number;
      readonly isCompressed: boolean;
    },
  ) {
    this.socket = new ClientSocket(webSocket, options);
    this.#hello = setTimeout(() => {
      this.socket.send({ op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatIntervalMs }, s: null, t: null });
    }, helloDelayMs);
    this.#hear();
    webSocket.on("message", (data) => this.#receive(data as Buffer));
    webSocket.on("error", () => webSocket.terminate());
    webSocket.on("close", (code) => this.#closed(code));
  }

  /** The process ends: the client continues on another one. */
  leave(): void {
    this.socket.send({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null });
  }

  #hear(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.socket.terminate(), silenceMaxMs);
  }

  #receive(data: Buffer): void {
    if (this.#isClosed) return;
    this.#hear();
    const read = this.#isAboveRate() ? GatewayCloseCodes.RateLimited : readPayload(data);
    if (typeof read === "number") {
      this.socket.close(read);
      return;
    }
    const { op, payload } = read;
    if (op === GatewayOpcodes.Heartbeat) {
      this.#acknowledge(payload as Payload<typeof op>);
      return;
    }
    this.#last = this.#last.then(async () => {
      if (this.#isClosed) return;
      try {
        await this.#take(op, payload);
      } catch (err) {
        this.surroundings.logger.warn({ err }, "a payload of a client could not be answered");
        this.socket.close(GatewayCloseCodes.UnknownError);
      }
    });
  }

  #acknowledge(sequence: Payload<GatewayOpcodes.Heartbeat>): void {
    this.socket.send({ op: GatewayOpcodes.HeartbeatAck, d: null, s: null, t: null });
    const session = this.#session;
    if (typeof sequence === "number" && session !== null && session !== "pending") void session.acknowledge(sequence);
  }

  #isAboveRate(): boolean {
    const now = performance.now();
    if (now - this.#windowBegan > payloadWindowMs) [this.#windowBegan, this.#payloads] = [now, 0];
    this.#payloads += 1;
    return this.#payloads > payloadsMax;
  }

  async #take(op: Exclude<ClientOpcode, GatewayOpcodes.Heartbeat>, payload: unknown): Promise<void> {
    const session = this.#session;
    if (op === GatewayOpcodes.Identify || op === GatewayOpcodes.Resume) {
      if (session !== null) return this.socket.close(GatewayCloseCodes.AlreadyAuthenticated);
      this.#session = "pending";
      if (op === GatewayOpcodes.Identify) return this.#identify(payload as Payload<typeof op>);
      return this.#resume(payload as Payload<typeof op>);
    }
    if (session === null || session === "pending") return this.socket.close(GatewayCloseCodes.NotAuthenticated);
    if (op === GatewayOpcodes.PresenceUpdate) {
      session.setPresence(toOwnPresence(payload as Payload<typeof op>, { isFirst: false }));
    } else if (op === GatewayOpcodes.VoiceStateUpdate) {
      await session.answer(await this.surroundings.members.voiceState(session.identity, payload as Payload<typeof op>));
    } else if (op === GatewayOpcodes.RequestSoundboardSounds) {
      const { guild_ids } = payload as Payload<typeof op>;
      // Servers here have no sounds.
      await session.answer(
        guild_ids.map((guild_id) => ({ t: "SOUNDBOARD_SOUNDS", d: { guild_id, soundboard_sounds: [] } })),
      );
    } else {
      const chunks = this.surroundings.members.chunks(session.identity, payload as Payload<typeof op>);
      for await (const chunk of chunks) await session.answer([chunk]);
    }
  }

  async #identify(payload: Payload<GatewayOpcodes.Identify>): Promise<void> {
    const bot = await this.#botOf(payload.token);
    if (bot === null) return;
    const { intents, presence } = payload;
    const { min, max, default: usual } = largeThresholds;
    const largeThreshold = Math.min(max, Math.max(min, payload.large_threshold ?? usual));
    const shard = payload.shard ?? ([0, 1] as const);
    const [index, count] = shard;
    if (index < 0 || count < 1 || index >= count) return this.socket.close(GatewayCloseCodes.InvalidShard);
    if (!areIntents(intents)) return this.socket.close(GatewayCloseCodes.InvalidIntents);
    const own = presence ? toOwnPresence(presence, { isFirst: true }) : null;
    const { origin, forwardedFor, version } = this.options;
    const identity = { bot, intents, largeThreshold, shard, origin, forwardedFor, events: eventsFor(intents) };
    this.#use(await beginSession(this.surroundings, this.#client(), { identity, presence: own, version }));
  }

  async #resume(payload: Payload<GatewayOpcodes.Resume>): Promise<void> {
    const bot = await this.#botOf(payload.token);
    if (bot === null) return;
    const { session_id: id, seq: sequence } = payload;
    const { origin, forwardedFor } = this.options;
    const session = await continueSession(this.surroundings, this.#client(), {
      bot,
      origin,
      forwardedFor,
      id,
      sequence,
    });
    if (session === "ahead") this.socket.close(GatewayCloseCodes.InvalidSeq);
    else if (session === null) this.#sessionEnded("invalid");
    else this.#use(session);
  }

  #client() {
    return { socket: this.socket, onEnd: (why: SessionEnd) => this.#sessionEnded(why) };
  }

  #use(session: Session): void {
    if (this.#isClosed) void session.leave({ isFinal: false });
    else this.#session = session;
  }

  async #botOf(token: string): Promise<Bot | null> {
    try {
      return await findBot(this.surroundings.accounts, token);
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error;
      this.socket.close(GatewayCloseCodes.AuthenticationFailed);
      return null;
    }
  }

  #sessionEnded(why: SessionEnd): void {
    this.#session = null;
    if (why === "invalid") this.socket.send({ op: GatewayOpcodes.InvalidSession, d: false, s: null, t: null });
    else this.socket.close(why === "revoked" ? GatewayCloseCodes.AuthenticationFailed : GatewayCloseCodes.UnknownError);
  }

  #closed(code: number): void {
    this.#isClosed = true;
    clearTimeout(this.#hello);
    clearTimeout(this.#silence);
    const session = this.#session;
    this.#session = null;
    if (session !== null && session !== "pending") void session.leave({ isFinal: finalCodes.includes(code) });
  }
}
