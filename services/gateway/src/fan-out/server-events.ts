import { subjects } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { ReceivedEvent } from "@parley/messaging";
import { encodeTextFrame } from "../connection/frames.js";
import type { Hub } from "../hub/hub.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { Topic } from "../query/connection-query.js";
import type { GapFiller } from "../stream/gap.js";
import { gapBefore, isDue, markDelivered } from "../stream/stream-order.js";
import { serverLeaveFrame } from "./announce.js";
import { channelOf, isAudienceLoaded } from "./audience.js";
import { dispatchedEvent, type EventSender } from "./event-sender.js";
import { personalPollFrames } from "./poll-votes.js";
import { type Recipients, recipientsOf } from "./recipients.js";
import { isForClients, topicOf } from "./topic.js";
import { bodiesOf } from "./versions.js";

/** Delivers the events of servers and of their channels; runs in the server's serial queue. */
export class ServerEvents {
  constructor(
    private readonly options: {
      database: Pick<Database, "query">;
      hub: Hub;
      gaps: Pick<GapFiller, "fill">;
      sender: Pick<EventSender, "send">;
      lowWatermark: () => number;
    },
  ) {}

  /** Returns a promise when data must be read first. May be repeated until the event is delivered. */
  dispatch(server: ServerEntry, event: ReceivedEvent): void | Promise<void> {
    if (!isDue(server, event)) return;
    if (event.recovered) invalidateVisibility(this.options.hub, server, event);
    if (gapBefore(server, event) !== null || !isAudienceLoaded(server, event) || event.pollId !== null) {
      return this.#dispatchAfterLoading(server, event);
    }
    this.#deliver(server, event);
  }

  async #dispatchAfterLoading(server: ServerEntry, event: ReceivedEvent): Promise<void> {
    const { hub, gaps } = this.options;
    const gap = gapBefore(server, event);
    if (gap !== null) {
      const filter = subjects.storedServer(server.id);
      server.subscription.pending.beginUnordered();
      const isFilled = await gaps.fill({ filter, ...gap }, (missed) => this.dispatch(server, missed));
      server.subscription.pending.endUnordered();
      if (!isFilled) hub.closeForResync(server.allUsers(), "events of a server were lost");
    }
    for (const channelId of [channelOf(event), event.exceptViewersOf]) {
      while (!server.isLoaded(channelId)) {
        await hub.load(server, channelId);
        // A live event precedes a join received during the load; a recovered event may follow it.
        if (!event.recovered || server.isLoaded(null)) break;
      }
    }
    if (event.limits?.readers !== undefined && !server.areRulesLoaded) await hub.load(server, null);
    hub.removeIfEmpty(server);
    if (event.pollId === null) this.#deliver(server, event);
    else await this.#deliverPoll(server, event, event.pollId);
  }

  #deliver(server: ServerEntry, event: ReceivedEvent): void {
    const { hub, lowWatermark } = this.options;
    markDelivered(server, event, lowWatermark);
    if (!isForClients(event)) {
      if (event.address.event === "SERVER_DELETED") this.#end(server, event);
      return;
    }
    const recipients = recipientsOf(hub, server, event);
    this.#send(server, event, recipients, (body) => {
      // The same bytes for every recipient.
      const dispatched = dispatchedEvent(server, event, encodeTextFrame(body), recipients.sizeMax);
      return () => dispatched;
    });
  }

  /** The cursors of SERVER_LEAVE belong to users who are not in the server any more. */
  #end(server: ServerEntry, event: ReceivedEvent): void {
    const { hub, sender } = this.options;
    const users = server.allUsers();
    hub.end(server);
    const dispatched = dispatchedEvent(server, event, serverLeaveFrame(server.id, "deleted"), users.length);
    const topic: Topic = { event: "SERVER_LEAVE", serverCrc: server.crc, version: 2, watched: null };
    for (const user of users) sender.send(user, dispatched, topic);
  }

  async #deliverPoll(server: ServerEntry, event: ReceivedEvent, pollId: string): Promise<void> {
    const { database, hub, lowWatermark } = this.options;
    let known = new Set<string>();
    let frameOf: ((body: Uint8Array) => (userId: string) => Buffer) | null = null;
    for (;;) {
      const recipients = recipientsOf(hub, server, event);
      const users = { everywhere: [...recipients.everywhere], inView: [...recipients.inView] };
      const wanted = [...users.everywhere, ...users.inView].map(({ id }) => id);
      const frames = frameOf;
      if (frames !== null && wanted.every((id) => known.has(id))) {
        markDelivered(server, event, lowWatermark);
        this.#send(server, event, { ...recipients, ...users }, (body) => {
          const ownFrame = frames(body);
          return ({ id }) => dispatchedEvent(server, event, ownFrame(id), wanted.length);
        });
        return;
      }
      // Users who show the channel meanwhile get it, too.
      known = new Set(wanted);
      frameOf = await personalPollFrames(database, pollId, wanted);
    }
  }

  #send(
    server: ServerEntry,
    event: ReceivedEvent,
    { everywhere, inView, isLimited }: Recipients,
    eventWith: (body: Uint8Array) => (user: UserEntry) => ReturnType<typeof dispatchedEvent>,
  ): void {
    const { sender } = this.options;
    const bodies = bodiesOf(event, topicOf(event, server.crc));
    // An audience may be iterated once.
    const users = bodies.length === 1 ? everywhere : [...everywhere];
    for (const { topic, body } of bodies) {
      const eventOf = eventWith(body);
      for (const user of users) sender.send(user, eventOf(user), topic);
      if (!isLimited) continue;
      const topicInView = { ...topic, shownIn: channelOf(event) ?? "" };
      for (const user of inView) sender.send(user, eventOf(user), topicInView);
    }
    server.activity?.apply(event, isLimited ? users : null);
  }
}

/**
 * Invalidates the rights that the event changes, so that the later events of this server wait until they are loaded
 * again. Called when the event is received, not when its turn in the queue comes: one load then covers all changes in
 * the queue.
 */
export function invalidateVisibility(hub: Pick<Hub, "user">, server: ServerEntry, event: ReceivedEvent): void {
  if (!event.definition?.changesVisibility) return;
  const name = event.address.event;
  if (name !== "MEMBER_ROLE_ADD" && name !== "MEMBER_ROLE_REMOVE") {
    server.invalidateRules();
    return;
  }
  const { user: userId } = event.facts;
  if (userId !== undefined) server.invalidateMember(hub.user(userId));
  else server.invalidateAll();
}
