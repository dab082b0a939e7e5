import type { Dispatch } from "./dispatch.js";
import type { Guild } from "./guilds.js";

type Channel = Guild["channels"][number];

const startedThreadsMax = 1_000;

/**
 * The channels that the client of a session has, by server, and the threads without replies, while this process has the
 * session.
 */
export class Sight {
  readonly #servers = new Map<string, Map<string, number>>();
  readonly #startedThreads = new Set<string>();

  /** The client gets a thread before its first reply. @returns false when it has it */
  startThread(rootId: string): boolean {
    if (this.#startedThreads.has(rootId)) return false;
    this.#startedThreads.add(rootId);
    for (const oldest of this.#startedThreads) {
      if (this.#startedThreads.size <= startedThreadsMax) break;
      this.#startedThreads.delete(oldest);
    }
    return true;
  }

  /** The client gets the whole server. */
  see(serverId: string, { channels }: Pick<Guild, "channels">): void {
    this.#servers.set(serverId, new Map(channels.map(({ id, type }) => [id, type])));
  }

  forget(serverId: string): void {
    this.#servers.delete(serverId);
  }

  /** Whether the client has a channel; undefined where another process sent it the server. @param channelId snowflake */
  has(serverId: string, channelId: string): boolean | undefined {
    return this.#servers.get(serverId)?.has(channelId);
  }

  typeOf(serverId: string, channelId: string): number | undefined {
    return this.#servers.get(serverId)?.get(channelId);
  }

  add(serverId: string, { id, type }: { id: string; type: number }): void {
    this.#servers.get(serverId)?.set(id, type);
  }

  remove(serverId: string, channelId: string): void {
    this.#servers.get(serverId)?.delete(channelId);
  }

  /**
   * The dispatches by which a client follows a change of rights: channels that come into sight, with their threads, and
   * those that it no longer has. They are sorted, so that the process that continues the session skips the same ones.
   */
  follow(serverId: string, guild: Guild): Dispatch[] {
    // If another process sent the server, nobody knows which channels the client has: it gets them again.
    const before = this.#servers.get(serverId) ?? new Map<string, number>();
    this.see(serverId, guild);
    const now = new Set(guild.channels.map(({ id }) => id));
    const gained = guild.channels.filter(({ id }) => !before.has(id));
    const lost = [...before].filter(([id]) => !now.has(id));
    return [
      ...gained.map((channel) => ({ id: channel.id, dispatches: arrives(channel, guild) })),
      ...lost.map(([id, type]) => ({ id, dispatches: [channelGone(guild.id, id, type)] })),
    ]
      .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
      .flatMap(({ dispatches }) => dispatches);
  }
}

function arrives(channel: Channel, { id: guild_id, threads }: Guild): Dispatch[] {
  const own = threads.filter(({ parent_id }) => parent_id === channel.id);
  const list = { guild_id, channel_ids: [channel.id], threads: own, members: [] };
  return [{ t: "CHANNEL_CREATE", d: channel }, ...(own.length === 0 ? [] : [{ t: "THREAD_LIST_SYNC", d: list }])];
}

/** CHANNEL_DELETE; the client knows the channel's name. */
export const channelGone = (guild_id: string, id: string, type: number): Dispatch => ({
  t: "CHANNEL_DELETE",
  d: { id, type, guild_id, name: "" },
});
