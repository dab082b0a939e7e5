interface LeftOutChannel<Connection> {
  /** How many events were left out, and the number of the last of them among those of all channels. */
  events: number;
  last: number;
  /** The number of them that a connection does not need: it got them, or knows their effect. */
  readonly known: Map<Connection, number>;
}

/**
 * The omitted events of a passive server that changed unread counts since the last CHANNEL_ACTIVITY, and the
 * connections that have not got their sum.
 */
export class LeftOut<Connection extends object> {
  readonly #channels = new Map<string, LeftOutChannel<Connection>>();
  #events = 0;
  /** Number of the last event before the beginning of connections that began since. */
  readonly #begun = new Map<Connection, number>();
  readonly #sentTo = new Set<Connection>();

  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  get channelIds(): string[] {
    return [...this.#channels.keys()];
  }

  /** @param except connections that got the event */
  add(channelId: string, except: Iterable<Connection>): void {
    const channel = this.#channels.get(channelId) ?? { events: 0, last: 0, known: new Map<Connection, number>() };
    this.#channels.set(channelId, channel);
    this.#events += 1;
    channel.events += 1;
    channel.last = this.#events;
    for (const connection of except) channel.known.set(connection, (channel.known.get(connection) ?? 0) + 1);
  }

  /** A connection begins: its READY contains the effect of all events so far. */
  begin(connection: Connection): void {
    if (this.#events > 0) this.#begun.set(connection, this.#events);
  }

  /** A connection knows the effect of a channel's events so far. */
  know(connection: Connection, channelId: string): void {
    const channel = this.#channels.get(channelId);
    channel?.known.set(connection, channel.events);
  }

  /** Marks that a connection got the sums of all channels. */
  markSent(connection: Connection): void {
    this.#sentTo.add(connection);
  }

  /** Adds the events that were omitted after these. */
  absorb(later: LeftOut<Connection>): void {
    for (const [channelId, { events, known }] of later.#channels) {
      for (let event = 0; event < events; event += 1) this.add(channelId, []);
      const channel = this.#channels.get(channelId);
      for (const [connection, count] of known)
        channel?.known.set(connection, count + (channel.known.get(connection) ?? 0));
    }
    this.#sentTo.clear();
  }

  /** Whether a connection that does not show a channel still needs its sum. */
  isMissing(connection: Connection, channelId: string): boolean {
    const channel = this.#channels.get(channelId);
    if (channel === undefined || this.#sentTo.has(connection)) return false;
    if (channel.last <= (this.#begun.get(connection) ?? 0)) return false;
    return (channel.known.get(connection) ?? 0) < channel.events;
  }
}
