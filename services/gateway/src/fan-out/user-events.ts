import { type EventFacts, subjects } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { encodeTextFrame } from "../connection/frames.js";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { Interactions } from "../interactions/interactions.js";
import type { GapFiller } from "../stream/gap.js";
import { gapBefore, isDue, markDelivered, type PrecedingGap } from "../stream/stream-order.js";
import { dispatchedEvent, type EventSender } from "./event-sender.js";
import type { Memberships } from "./membership.js";
import { isForClients, topicOf } from "./topic.js";
import { bodiesOf } from "./versions.js";

/** Delivers the events of users, or applies them if they are control events; runs in the user's serial queue. */
export class UserEvents {
  constructor(
    private readonly options: {
      hub: Hub;
      memberships: Memberships;
      gaps: Pick<GapFiller, "fill">;
      sender: EventSender;
      interactions: Pick<Interactions, "claimFor">;
      lowWatermark: () => number;
    },
  ) {}

  /** Called with an event that will wait in the user's queue. */
  waiting(user: UserEntry, event: ReceivedEvent): void {
    if (event.address.event !== "SERVER_LEFT") return;
    this.options.memberships.endReceiving(user, required(event, "server"), event);
  }

  /** Returns a promise when missed events must be read first. */
  dispatch(user: UserEntry, event: ReceivedEvent): void | Promise<void> {
    if (!isDue(user, event)) return;
    const gap = gapBefore(user, event);
    return gap === null ? this.#deliver(user, event) : this.#dispatchAfterGap(user, event, gap);
  }

  async #dispatchAfterGap(user: UserEntry, event: ReceivedEvent, gap: PrecedingGap): Promise<void> {
    const { hub, gaps } = this.options;
    const filter = subjects.storedUser(user.id);
    user.subscription.pending.beginUnordered();
    const isFilled = await gaps.fill({ filter, ...gap }, (missed) => this.dispatch(user, missed));
    user.subscription.pending.endUnordered();
    if (!isFilled) hub.closeForResync([user], "events of a user were lost");
    await this.#deliver(user, event);
  }

  #deliver(user: UserEntry, event: ReceivedEvent): void | Promise<void> {
    const { memberships, lowWatermark } = this.options;
    if (event.address.event === "SERVER_JOINED") {
      // Until it is announced, the cursors of other frames are from before the join.
      const announced = memberships.join(user, required(event, "server"), event);
      if (announced !== undefined) return announced;
    }
    markDelivered(user, event, lowWatermark);
    if (!isForClients(event)) return this.#applyControlEvent(user, event);
    const { user: partner } = event.facts;
    if (user.watchesPartners && event.address.event === "DM_CHANNEL_CREATE" && partner !== undefined)
      this.options.hub.watches.partners.watch(user, partner);
    this.#noteView(user, event);
    for (const { topic, body } of bodiesOf(event, topicOf(event, null)))
      this.options.sender.send(user, dispatchedEvent(user, event, encodeTextFrame(body), 1), topic);
  }

  /** Notes events that change which events of passive servers the user gets, or their counts (docs/protocol/passive-servers.md#27). */
  #noteView(user: UserEntry, event: ReceivedEvent): void {
    if (user.showsChannels && event.address.event === "NOTIFICATIONS_UPDATE")
      this.options.hub.followed.update(user, required(event, "follows"));
    // A thread's mark is none of its channel.
    if (event.address.event !== "READ_STATE_UPDATE" || event.facts.thread !== undefined) return;
    const channelId = required(event, "channel");
    const at = Date.parse(required(event, "read_at"));
    for (const { id } of user.servers) this.options.hub.server(id)?.activity?.markRead(user.id, channelId, at);
  }

  #applyControlEvent(user: UserEntry, event: ReceivedEvent): void | Promise<void> {
    switch (event.address.event) {
      case "SERVER_LEFT":
        return this.options.memberships.leave(user, required(event, "server"), event);
      case "INTERACTION_PENDING":
        this.options.interactions.claimFor(user.id);
        break;
      case "SESSION_CLOSE":
        closeConnections(user, required(event, "ends"));
        break;
    }
  }
}

/** @throws Error for an event of a version that says it in another way */
function required({ address, facts }: ReceivedEvent, name: keyof EventFacts): string {
  const fact = facts[name];
  if (fact === undefined) throw new Error(`${address.event} does not say its ${name}`);
  return fact;
}

/** Closes connections of a user, as SESSION_CLOSE says which. */
function closeConnections(user: UserEntry, ends: string): void {
  const [kind, value = ""] = ends.split(" ");
  for (const connection of [...user.connections]) {
    const isMeant =
      kind === "all" ||
      (kind === "connection" && connection.id === value) ||
      (kind === "session" && connection.sessionId === value) ||
      (kind === "before" && connection.sessionVersion < Number(value));
    if (isMeant) connection.closeForGood();
  }
}
