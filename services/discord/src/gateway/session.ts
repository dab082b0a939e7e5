import { randomBytes, randomUUID } from "node:crypto";
import type { Ready } from "@parley/contracts";
import { GatewayOpcodes } from "discord-api-types/v10";
import type { Logger } from "pino";
import type { Bot } from "../rest/token.js";
import type { ClientSocket } from "./client-socket.js";
import type { Guilds } from "./guilds.js";
import { isAskedFor, readsPresences } from "./intents.js";
import { eventsBatchMax, guildsBatchMax, quietRecordMs, waitingEventsMax } from "./limits.js";
import { type Position, type SequenceRecord, Sequencer } from "./positions.js";
import type { OwnPresence } from "./presence.js";
import { gatewayUrl, readyPayload } from "./ready.js";
import type { ContinuedSession, SessionStore } from "./session-store.js";
import { isInShard, type Shard } from "./shard.js";
import type { Translate } from "./translate.js";
import type { Dispatch } from "./translation.js";
import { type GatewayAddresses, Upstream, type UpstreamFrame } from "./upstream.js";

/** Objects that all sessions share. */
export interface SessionSurroundings {
  readonly addresses: GatewayAddresses;
  readonly store: SessionStore;
  readonly translate: Translate;
  readonly guilds: Guilds;
  readonly logger: Logger;
  /** Counts dispatches that are sent, by the name of the event. */
  readonly count: (event: string) => void;
}

/**
 * Why a session has no connection any more: its token is not valid, it cannot be continued (the client identifies itself
 * anew), or something failed, and the client may continue it.
 */
export type SessionEnd = "revoked" | "invalid" | "failed";

/** The parts of its connection that a session needs. */
export interface SessionClient {
  readonly socket: Pick<ClientSocket, "send" | "drained">;
  onEnd(why: SessionEnd): void;
}

/** The data that a client identified itself with. */
export interface Identity {
  readonly bot: Bot;
  readonly intents: number;
  readonly shard: Shard;
  /** Address of the installation for the client, without a slash at its end. */
  readonly origin: string;
}

interface Beginning {
  readonly id: string;
  readonly owner: string;
  readonly sequence: number;
  readonly continued: ContinuedSession | null;
  readonly presence: OwnPresence | null;
}

/** Begins a session. */
export async function beginSession(
  surroundings: SessionSurroundings,
  client: SessionClient,
  { identity, presence }: { identity: Identity; presence: OwnPresence | null },
): Promise<Session> {
  const [id, owner] = [randomBytes(16).toString("hex"), randomUUID()];
  const { bot, intents, shard } = identity;
  await surroundings.store.begin(id, owner, { userId: bot.userId, intents, shard });
  return new Session(surroundings, client, identity, { id, owner, sequence: 0, continued: null, presence });
}

/** Continues a session behind the last dispatch that the client has; null when it cannot be. */
export async function continueSession(
  surroundings: SessionSurroundings,
  client: SessionClient,
  { bot, origin, id, sequence }: { bot: Bot; origin: string; id: string; sequence: number },
): Promise<Session | null> {
  const owner = randomUUID();
  const continued = await surroundings.store.continue(id, { owner, userId: bot.userId, sequence });
  if (continued === null) return null;
  const { intents, shard } = continued;
  const identity = { bot, intents, shard, origin };
  return new Session(surroundings, client, identity, { id, owner, sequence, continued, presence: null });
}

/** A session of a bot while this process has its connection (docs/discord.md#gateway). */
export class Session {
  readonly id: string;
  readonly #owner: string;
  readonly #sequencer: Sequencer<Dispatch>;
  /** Interactions that the client has. */
  readonly #seen: ReadonlySet<string>;
  readonly #upstream: Upstream;
  #presence: OwnPresence | null;
  /** RESUMED is still to be sent. */
  #isResuming: boolean;
  /** READY was sent, in this process or another one. */
  #isReady: boolean;
  #waiting: UpstreamFrame[] = [];
  #isWorking = false;
  #isEnded = false;
  #recordedAt = 0;

  constructor(
    private readonly surroundings: SessionSurroundings,
    private readonly client: SessionClient,
    readonly identity: Identity,
    { id, owner, sequence, continued, presence }: Beginning,
  ) {
    const position = continued?.position ?? { cursor: "" };
    this.id = id;
    this.#owner = owner;
    this.#presence = presence;
    this.#isResuming = continued !== null;
    this.#isReady = continued !== null;
    this.#seen = new Set(continued?.seen);
    this.#sequencer = new Sequencer(sequence, position);
    this.#upstream = new Upstream({
      addresses: surroundings.addresses,
      token: identity.bot.token,
      wantsPresences: readsPresences(identity.intents),
      cursor: position.cursor,
      onFrame: (frame) => this.#receive(frame),
      onEnd: (why) => this.#end(why === "revoked" ? "revoked" : "failed"),
    });
  }

  /** The client has all dispatches up to this one. */
  async acknowledge(sequence: number): Promise<void> {
    await this.#orFail(async () => {
      if (!(await this.surroundings.store.acknowledge(this.id, this.#owner, sequence))) this.#end("failed");
    });
  }

  setPresence(presence: OwnPresence): void {
    this.#presence = presence;
    this.#upstream.send("PRESENCE_UPDATE", presence);
  }

  /** Sends dispatches that no event caused: an answer to the client. */
  async answer(dispatches: readonly Dispatch[]): Promise<void> {
    for (const dispatch of dispatches) this.#send(this.#sequencer.append(null).sequence, dispatch);
    await this.client.socket.drained();
  }

  /** The connection is gone. @param isFinal the client does not want to continue */
  async leave({ isFinal }: { isFinal: boolean }): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#upstream.end({ isFinal });
    if (isFinal) await this.#orFail(() => this.surroundings.store.end(this.id));
  }

  #receive(frame: UpstreamFrame): void {
    this.#waiting.push(frame);
    if (this.#waiting.length > waitingEventsMax) this.#upstream.setPaused(true);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    await this.#orFail(async () => {
      while (this.#waiting.length > 0 && !this.#isEnded) {
        await this.#take(this.#waiting.splice(0, eventsBatchMax));
        if (this.#waiting.length === 0) this.#upstream.setPaused(false);
      }
    });
    this.#isWorking = false;
  }

  async #take(frames: readonly UpstreamFrame[]): Promise<void> {
    let events: UpstreamFrame[] = [];
    for (const frame of frames) {
      if (frame.t !== "READY" && frame.t !== "RESUMED") {
        events.push(frame);
        continue;
      }
      await this.#deliver(events);
      events = [];
      if (frame.t === "READY") await this.#ready(frame);
      else await this.#resumed(frame);
    }
    await this.#deliver(events);
  }

  async #ready({ d, s }: UpstreamFrame): Promise<void> {
    if (this.#isReady) {
      // The gateway no longer knows the missed events (docs/protocol/continuing.md#19.3).
      await this.surroundings.store.end(this.id);
      this.#end("invalid");
      return;
    }
    this.#isReady = true;
    this.#sendPresence();
    const ready = d as Ready;
    const { bot, shard, origin } = this.identity;
    const servers = ready.servers.map(({ id }) => id).filter((id) => isInShard(shard, id));
    const payload = readyPayload(ready.user, {
      servers,
      shard,
      sessionId: this.id,
      gatewayUrl: gatewayUrl(origin),
      userId: bot.userId,
    });
    const record = this.#sequencer.append({ cursor: s ?? "", serversAfter: "" });
    await this.#record([record]);
    this.#send(record.sequence, { t: "READY", d: payload });
    await this.#sendServers(servers.toSorted());
  }

  async #resumed({ s }: UpstreamFrame): Promise<void> {
    await this.#sendMissingServers();
    this.#sendPresence();
    const position: Position = { ...this.#sequencer.position, cursor: s ?? this.#sequencer.position.cursor };
    const record = this.#isResuming ? this.#sequencer.append(position) : this.#sequencer.move(position);
    await this.#record([record]);
    if (this.#isResuming) this.#send(record.sequence, { t: "RESUMED", d: {} });
    this.#isResuming = false;
  }

  async #deliver(frames: readonly UpstreamFrame[]): Promise<void> {
    if (frames.length === 0 || this.#isEnded) return;
    await this.#sendMissingServers();
    const translated = await this.surroundings.translate(frames, this.identity);
    const unseen = translated.filter(({ interaction }) => interaction === undefined || !this.#seen.has(interaction));
    const { sent, records, moved } = this.#sequencer.number(unseen);
    const now = performance.now();
    if (moved && now - this.#recordedAt > quietRecordMs) records.push(this.#sequencer.move(this.#sequencer.position));
    await this.#record(records);
    for (const { sequence, dispatch } of sent) this.#send(sequence, dispatch);
    await this.client.socket.drained();
  }

  /** Those that another process had no time to send. */
  async #sendMissingServers(): Promise<void> {
    const { serversAfter } = this.#sequencer.position;
    if (serversAfter === undefined) return;
    const { bot, shard } = this.identity;
    const all = await this.surroundings.guilds.serversOf(bot.userId, serversAfter);
    await this.#sendServers(all.filter((id) => isInShard(shard, id)));
  }

  async #sendServers(ids: readonly string[]): Promise<void> {
    const { cursor } = this.#sequencer.position;
    const { identity, surroundings } = this;
    const asked = isAskedFor(identity.intents, "GUILD_CREATE", "guild") ? ids : [];
    for (let at = 0; at < asked.length && !this.#isEnded; at += guildsBatchMax) {
      const guilds = await surroundings.guilds.load(asked.slice(at, at + guildsBatchMax), identity.bot.userId);
      const records = guilds.map(({ serverId }) => this.#sequencer.append({ cursor, serversAfter: serverId }));
      await this.#record(records);
      for (const [index, { guild }] of guilds.entries()) {
        this.#send(records[index]?.sequence ?? 0, { t: "GUILD_CREATE", d: guild });
      }
      await this.client.socket.drained();
    }
    if (!this.#isEnded) await this.#record([this.#sequencer.move({ cursor })]);
  }

  #sendPresence(): void {
    if (this.#presence !== null) this.#upstream.send("PRESENCE_UPDATE", this.#presence);
  }

  #send(sequence: number, { t, d }: Dispatch): void {
    if (this.#isEnded) return;
    this.surroundings.count(t);
    this.client.socket.send({ op: GatewayOpcodes.Dispatch, t, s: sequence, d });
  }

  /** Before dispatches with these numbers are sent. */
  async #record(records: readonly SequenceRecord[]): Promise<void> {
    if (records.length === 0) return;
    this.#recordedAt = performance.now();
    if (!(await this.surroundings.store.record(this.id, this.#owner, records))) this.#end("failed");
  }

  async #orFail(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.surroundings.logger.warn({ err }, "a session failed");
      this.#end("failed");
    }
  }

  #end(why: SessionEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#upstream.end({ isFinal: false });
    this.client.onEnd(why);
  }
}
