import type { ReceivedEvent } from "@parley/messaging";
import { channelOf } from "../fan-out/audience.js";
import { concernedRoles, concernedUsers } from "../fan-out/concerned.js";
import { isInViewOnly } from "../fan-out/recipients.js";

/** First and last sequence, both included. */
export interface SequenceRange {
  from: number;
  to: number;
}

/** Selects the events of a channel that a passive connection gets (docs/protocol/passive-servers.md#27). */
export interface Selection {
  userId: string;
  /** The user's, as of now. */
  roleIds: readonly string[];
  inView: ReadonlySet<string>;
}

/** Place of a stored event in the stream. */
export function sequenceOf({ stored }: ReceivedEvent): number {
  return stored?.sequence ?? 0;
}

/** The place in a list, which is in the order of the stream, of its first event with at least that sequence. */
export function placeOf(events: readonly ReceivedEvent[], sequence: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = events[middle];
    if (event === undefined || sequenceOf(event) >= sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The events of one server or user. */
export class SourceEvents {
  readonly #events: ReceivedEvent[] = [];
  readonly #index = new PassiveIndex(this.#events);

  get size(): number {
    return this.#events.length;
  }

  /** @param event with a higher sequence than those before */
  add(event: ReceivedEvent): void {
    this.#events.push(event);
  }

  between(range: SequenceRange): StoredEvents {
    return new StoredEvents(this.#events, this.#index, range);
  }
}

/** The events of one server or user in a range, in the order of the stream. */
export class StoredEvents {
  constructor(
    private readonly events: readonly ReceivedEvent[],
    private readonly index: PassiveIndex,
    private readonly range: SequenceRange,
  ) {}

  all(): ReceivedEvent[] {
    return this.#inRange(this.events);
  }

  /**
   * The events of a passive server that a connection gets.
   *
   * @param isFollowing whether its user follows a thread
   */
  select({ userId, roleIds, inView }: Selection, isFollowing: (threadId: string) => boolean): ReceivedEvent[] {
    const { everywhere, byChannel, byUser, byRole, byThread } = this.index.upToDate();
    const lists = [
      everywhere,
      byUser.get(userId),
      ...roleIds.map((id) => byRole.get(id)),
      ...[...inView].map((id) => byChannel.get(id)),
    ];
    for (const [threadId, events] of byThread) if (isFollowing(threadId)) lists.push(events);
    const selected = new Set(lists.flatMap((events = []) => this.#inRange(events)));
    return [...selected].sort((one, other) => sequenceOf(one) - sequenceOf(other));
  }

  /**
   * By channel, newest first: the events that a connection gets only if it shows the channel or the event concerns it.
   */
  *inViewOnly(): Iterable<[channelId: string, events: Iterable<ReceivedEvent>]> {
    for (const [channelId, events] of this.index.upToDate().byChannel) yield [channelId, this.#newestFirst(events)];
  }

  #inRange(events: readonly ReceivedEvent[]): ReceivedEvent[] {
    return events.slice(placeOf(events, this.range.from), placeOf(events, this.range.to + 1));
  }

  *#newestFirst(events: readonly ReceivedEvent[]): Iterable<ReceivedEvent> {
    for (let place = placeOf(events, this.range.to + 1) - 1; place >= 0; place -= 1) {
      const event = events[place];
      if (event === undefined || sequenceOf(event) < this.range.from) return;
      yield event;
    }
  }
}

/**
 * A server's events by the reason for which passive connections get them: thousands that continue at a time each need a
 * few of all the events since their last frame, which may be as old as the stream keeps events.
 */
class PassiveIndex {
  readonly everywhere: ReceivedEvent[] = [];
  readonly byChannel = new Map<string, ReceivedEvent[]>();
  readonly byUser = new Map<string, ReceivedEvent[]>();
  readonly byRole = new Map<string, ReceivedEvent[]>();
  readonly byThread = new Map<string, ReceivedEvent[]>();
  #size = 0;

  constructor(private readonly events: readonly ReceivedEvent[]) {}

  /** Indexes the new events. Only events of passive servers are indexed. */
  upToDate(): this {
    for (const event of this.events.slice(this.#size)) this.#add(event);
    this.#size = this.events.length;
    return this;
  }

  #add(event: ReceivedEvent): void {
    const channelId = channelOf(event);
    if (channelId === null || !isInViewOnly(event)) {
      this.everywhere.push(event);
      return;
    }
    addTo(this.byChannel, channelId, event);
    for (const userId of concernedUsers(event)) addTo(this.byUser, userId, event);
    for (const roleId of concernedRoles(event)) addTo(this.byRole, roleId, event);
    const { thread } = event.facts;
    if (thread !== undefined) addTo(this.byThread, thread, event);
  }
}

function addTo(lists: Map<string, ReceivedEvent[]>, key: string, event: ReceivedEvent): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [event]);
  else list.push(event);
}
