import { GatewayOpcodes } from "discord-api-types/v10";
import type { Dispatch } from "./dispatch.js";
import { isAskedFor, readsPresences } from "./intents.js";
import { eventsBatchMax, guildsBatchMax, quietRecordMs, seenMax, waitingEventsMax } from "./limits.js";
import { type Position, type SequenceRecord, Sequencer } from "./positions.js";
import type { OwnPresence } from "./presence.js";
import { gatewayUrl, readyPayload } from "./ready.js";
import { Remembered } from "./remembered.js";
import type { Beginning, Identity, SessionClient, SessionEnd, SessionSurroundings } from "./session-parts.js";
import { isInShard } from "./shard.js";
import { Sight } from "./sight.js";
import { type ReadyPart, Upstream, type UpstreamFrame } from "./upstream.js";

function createDeferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A session of a bot while this process has its connection (docs/discord.md#gateway). */
export class Session {
  readonly id: string;
  readonly #owner: string;
  readonly #sequencer: Sequencer<Dispatch>;
  /** Interactions that the client has: a gateway that dies gives those without an answer to the next one. */
  readonly #seen: Set<string>;
  readonly #upstream: Upstream;
  readonly #sight = new Sight();
  readonly #remembered: Remembered;
  readonly #version: number;
  #presence: OwnPresence | null;
  /** Presences are set one after the other. */
  #presences: Promise<unknown> = Promise.resolve();
  /** RESUMED is still to be sent. */
  #isResuming: boolean;
  /** READY was sent, in this process or another one. */
  #isReady: boolean;
  /** Resolves when the servers were sent after READY, or when the session ends. */
  readonly #begun = createDeferred();
  #waiting: UpstreamFrame[] = [];
  #isWorking = false;
  #isEnded = false;
  #recordedAt = 0;

  constructor(
    private readonly surroundings: SessionSurroundings,
    private readonly client: SessionClient,
    readonly identity: Identity,
    { id, owner, sequence, continued, presence, version = 10 }: Beginning,
  ) {
    const position = continued?.position ?? { cursor: "" };
    this.id = id;
    this.#owner = owner;
    this.#presence = presence;
    this.#version = version;
    this.#isResuming = continued !== null;
    this.#isReady = continued !== null;
    this.#seen = new Set(continued?.seen);
    if (continued !== null) this.#begun.resolve();
    this.#remembered = new Remembered(surroundings.countRows);
    this.#sequencer = new Sequencer(sequence, position);
    this.#upstream = new Upstream({
      addresses: surroundings.addresses,
      token: identity.bot.token,
      wantsPresences: readsPresences(identity.intents),
      events: identity.events,
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
    this.#sendPresence();
  }

  /** Sends dispatches that no event caused: an answer to the client, which comes after READY and the servers. */
  async answer(dispatches: readonly Dispatch[]): Promise<void> {
    await this.#begun.promise;
    for (const dispatch of dispatches) this.#send(this.#sequencer.append(null).sequence, dispatch);
    await this.client.socket.drained();
  }

  /** The connection is gone. @param isFinal the client does not want to continue */
  async leave({ isFinal }: { isFinal: boolean }): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#begun.resolve();
    this.#upstream.end({ isFinal });
    const { store } = this.surroundings;
    await this.#orFail(() =>
      isFinal ? store.end(this.id) : store.leave(this.id, this.#owner, this.#sequencer.sequence),
    );
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
    const { user, serverIds } = d as ReadyPart;
    const { bot, shard, origin } = this.identity;
    const servers = serverIds.filter((id) => isInShard(shard, id));
    const payload = readyPayload(user, {
      version: this.#version,
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
    this.#begun.resolve();
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
    const translated = await this.surroundings.translate(frames, {
      ...this.identity,
      sight: this.#sight,
      remembered: this.#remembered,
    });
    const unseen = translated.filter(({ interaction }) => interaction === undefined || this.#isNew(interaction));
    const { sent, records, moved } = this.#sequencer.number(unseen);
    const now = performance.now();
    if (moved && now - this.#recordedAt > quietRecordMs) records.push(this.#sequencer.move(this.#sequencer.position));
    await this.#record(records);
    for (const { sequence, dispatch } of sent) this.#send(sequence, dispatch);
    await this.client.socket.drained();
  }

  #isNew(interaction: string): boolean {
    if (this.#seen.has(interaction)) return false;
    this.#seen.add(interaction);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= seenMax) break;
      this.#seen.delete(oldest);
    }
    return true;
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
      const guilds = await surroundings.guilds.load(asked.slice(at, at + guildsBatchMax), identity);
      const records = guilds.map(({ serverId }) => this.#sequencer.append({ cursor, serversAfter: serverId }));
      await this.#record(records);
      for (const [index, { serverId, guild }] of guilds.entries()) {
        this.#sight.see(serverId, guild);
        this.#send(records[index]?.sequence ?? 0, { t: "GUILD_CREATE", d: guild });
      }
      await this.client.socket.drained();
    }
    if (!this.#isEnded) await this.#record([this.#sequencer.move({ cursor })]);
  }

  #sendPresence(): void {
    const presence = this.#presence;
    if (presence === null || !this.#isReady) return;
    this.#presences = this.#presences
      .then(() => this.#isEnded || this.surroundings.setPresence(this.identity, presence))
      .catch((err: unknown) => this.surroundings.logger.warn({ err }, "a presence of a bot was not set"));
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
    this.#begun.resolve();
    this.#upstream.end({ isFinal: false });
    this.client.onEnd(why);
  }
}
