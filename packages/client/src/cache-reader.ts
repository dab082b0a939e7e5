import { applyEvent } from "./cache-events.js";
import { byId, type CacheState, forgetChannel } from "./cache-state.js";
import { asCached } from "./cached-members.js";
import { ParleyError } from "./error.js";
import type { GatewayEvent } from "./gateway-options.js";
import type { Rest } from "./generated/index.js";
import { pause } from "./pause.js";

/** The requests of the reader. */
export type CacheRest = Pick<Rest, "blocks" | "channels" | "members" | "overrides">;

/** The list of channels of one server, and the user's membership there. */
interface Reading {
  /** Whether the list equals the server's present answer. */
  isCurrent: boolean;
  /** Counts changes of rights; a read that one has overtaken is followed by another. */
  version: number;
  /** Channels whose overrides are known; null for all that the user may view. */
  known: Set<string> | null;
  /** Events since the running read began, which its answer may not have. */
  log: GatewayEvent[] | null;
  running: Promise<void> | null;
}

/** Changes of rights come in bursts, and to many clients at a time: one read follows within this time. */
const burstMs = 100;
const spreadMs = 400;
/** After a read that failed; the request itself was repeated before. */
const retryMs = 10_000;

/**
 * Reads data that no event has: the channels of a server and the own membership, once and after each change of rights.
 */
export class CacheReader {
  readonly #rest: CacheRest;
  readonly #state: () => CacheState;
  #readings = new Map<string, Reading>();
  #stop = new AbortController();

  constructor(rest: CacheRest, state: () => CacheState) {
    this.#rest = rest;
    this.#state = state;
  }

  /** Begins anew: nothing is current, and running reads are out of date. */
  reset(serverIds: readonly string[]): void {
    this.close();
    this.#stop = new AbortController();
    this.#readings = new Map(serverIds.map((id) => [id, begun()]));
  }

  /** Adds a server whose overrides are known, unless they may be left over from an earlier membership. */
  join(serverId: string, hasLeftovers: boolean): void {
    this.#readings.set(serverId, { ...begun(), known: hasLeftovers ? new Set() : null });
  }

  leave(serverId: string): void {
    this.#readings.delete(serverId);
  }

  /** Ends reading. */
  close(): void {
    this.#stop.abort();
  }

  isCurrent(serverId: string): boolean {
    return this.#readings.get(serverId)?.isCurrent === true;
  }

  /** Keeps an event for the reads that are running. */
  follow(event: GatewayEvent): void {
    if (!/^(CHANNEL|ROLE|MEMBER)_/.test(event.name)) return;
    for (const { log } of this.#readings.values()) log?.push(event);
  }

  /** The channels of the server may be others now. */
  doubt(serverId: string): void {
    const reading = this.#readings.get(serverId);
    if (reading === undefined) return;
    const channels = this.#state().servers.get(serverId)?.channels ?? null;
    reading.known ??= new Set(reading.isCurrent ? channels?.keys() : []);
    reading.isCurrent = false;
    reading.version += 1;
    if (channels !== null) this.readSoon(serverId);
  }

  /** The same for the server of a channel that is not in any list. */
  async doubtServerOf(channelId: string): Promise<void> {
    try {
      this.doubt((await this.#rest.channels.get(channelId, { signal: this.#stop.signal })).server_id);
    } catch (error) {
      // One that the user may not view is none of theirs.
      if (!isRefusal(error)) for (const serverId of this.#readings.keys()) this.doubt(serverId);
    }
  }

  /** Reads after a short time, for all reasons that arise within it. */
  readSoon(serverId: string): void {
    const reading = this.#readings.get(serverId);
    if (reading !== undefined) this.#begin(serverId, reading, burstMs + Math.random() * spreadMs);
  }

  /** Resolves once the list is current. */
  async load(serverId: string): Promise<void> {
    for (;;) {
      const reading = this.#readings.get(serverId);
      if (reading === undefined) throw new Error(`The cache has no server ${serverId}.`);
      if (reading.isCurrent) return;
      await this.#begin(serverId, reading, 0).catch((error: unknown) => {
        // READY has ended it, and the next one is as good.
        if (this.#readings.get(serverId) === reading) throw error;
      });
    }
  }

  #begin(serverId: string, reading: Reading, waitMs: number): Promise<void> {
    if (reading.running !== null) return reading.running;
    const { signal } = this.#stop;
    const running = pause(waitMs, signal)
      .then(() => this.#readUntilCurrent(serverId, reading, signal))
      .finally(() => {
        reading.running = null;
        reading.log = null;
      });
    reading.running = running;
    running.catch((error: unknown) => {
      const isOver = signal.aborted || isRefusal(error) || this.#readings.get(serverId) !== reading;
      if (!isOver) this.#begin(serverId, reading, retryMs * (0.5 + Math.random()));
    });
    return running;
  }

  async #readUntilCurrent(serverId: string, reading: Reading, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { version } = reading;
      await this.#read(serverId, reading, signal);
      if (reading.version === version) break;
      await pause(burstMs, signal);
    }
    reading.known = null;
    reading.isCurrent = true;
  }

  async #read(serverId: string, reading: Reading, signal: AbortSignal): Promise<void> {
    const { channels, members, overrides } = this.#rest;
    const { known } = reading;
    const log: GatewayEvent[] = [];
    reading.log = log;
    const ownId = this.#state().user?.id ?? "";
    const [list, own] = await Promise.all([
      channels.list(serverId, { signal }),
      members.get(serverId, ownId, { signal }),
    ]);
    const unknown = known === null ? [] : list.filter(({ id }) => !known.has(id));
    const found = await Promise.all(
      unknown.map(async ({ id }) => {
        // The next read follows when the channel was hidden meanwhile.
        const none = (error: unknown) => (isRefusal(error) ? [] : Promise.reject(error));
        return { id, overrides: byId(await overrides.list(id, { signal }).catch(none)) };
      }),
    );
    const state = this.#state();
    const server = state.servers.get(serverId);
    if (this.#readings.get(serverId) !== reading || server === undefined) return;
    const listed = byId(list);
    for (const id of server.channels?.keys() ?? []) if (!listed.has(id)) forgetChannel(state, id);
    server.channels = listed;
    server.own = asCached(own);
    for (const { id, overrides: read } of found) state.overrides.set(id, read);
    for (const event of log) applyEvent(state, event);
  }
}

const begun = (): Reading => ({ isCurrent: false, version: 0, known: null, log: null, running: null });

/** The server's answer for a resource that is gone, or hidden from the user. */
const isRefusal = (error: unknown) => error instanceof ParleyError && error.final;
