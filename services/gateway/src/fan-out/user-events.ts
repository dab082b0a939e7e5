import { type EventPayload, events, subjects } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { z } from "zod";
import { encodeTextFrame } from "../connection/frames.js";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { Interactions } from "../interactions/interactions.js";
import type { GapFiller } from "../stream/gap.js";
import { gapBefore, isDue, markDelivered, type PrecedingGap } from "../stream/stream-order.js";
import { dispatchedEvent, type EventSender } from "./event-sender.js";
import type { Memberships } from "./membership.js";
import { isForClients, topicOf } from "./topic.js";

/** The part of DM_CHANNEL_CREATE that names the partner. */
const DmChannelCreate = z.object({ d: z.object({ recipient: z.object({ id: z.string() }) }) });

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
    this.options.memberships.endReceiving(user, readPayload(event, events.SERVER_LEFT.payload).server_id);
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
      const announced = memberships.join(user, readPayload(event, events.SERVER_JOINED.payload).server_id, event);
      if (announced !== undefined) return announced;
    }
    markDelivered(user, event, lowWatermark);
    if (!isForClients(event)) return this.#applyControlEvent(user, event);
    if (user.watchesPartners && event.address.event === "DM_CHANNEL_CREATE") this.#addPartner(user, event);
    this.#noteView(user, event);
    const dispatched = dispatchedEvent(user, event, encodeTextFrame(event.body), 1);
    this.options.sender.send(user, dispatched, topicOf(event, null));
  }

  /** What decides what is sent of passive servers, and their counts (docs/interface.md#27). */
  #noteView(user: UserEntry, event: ReceivedEvent): void {
    if (!user.showsChannels) return;
    if (event.address.event === "NOTIFICATIONS_UPDATE") this.options.hub.followed.update(user, event.body);
    if (event.address.event !== "READ_STATE_UPDATE") return;
    const { channel_id, last_read_at } = events.READ_STATE_UPDATE.payload.parse(payloadOf(event));
    const at = Date.parse(last_read_at);
    for (const { id } of user.servers) this.options.hub.server(id)?.activity?.markRead(user.id, channel_id, at);
  }

  #addPartner(user: UserEntry, event: ReceivedEvent): void {
    const created = DmChannelCreate.safeParse(JSON.parse(Buffer.from(event.body).toString()));
    if (created.success) this.options.hub.watches.partners.watch(user, created.data.d.recipient.id);
  }

  #applyControlEvent(user: UserEntry, event: ReceivedEvent): void | Promise<void> {
    switch (event.address.event) {
      case "SERVER_LEFT":
        return this.options.memberships.leave(user, readPayload(event, events.SERVER_LEFT.payload), event);
      case "INTERACTION_PENDING":
        this.options.interactions.claimFor(user.id);
        break;
      case "SESSION_CLOSE":
        closeSessions(user, readPayload(event, events.SESSION_CLOSE.payload));
        break;
    }
  }
}

/** `d` of an event that clients get. */
function payloadOf({ body }: ReceivedEvent): unknown {
  return JSON.parse(Buffer.from(body).toString()).d;
}

function readPayload<Payload>({ body }: ReceivedEvent, schema: z.ZodType<Payload>): Payload {
  return schema.parse(JSON.parse(Buffer.from(body).toString()));
}

function closeSessions(user: UserEntry, close: EventPayload<"SESSION_CLOSE">): void {
  const { connection_id, session_id, before_version = Number.POSITIVE_INFINITY } = close;
  for (const connection of [...user.connections]) {
    const isNamed = session_id === undefined ? connection.id === connection_id : connection.sessionId === session_id;
    const isAmongAll = connection_id === null && session_id === undefined;
    if (isNamed || (isAmongAll && connection.sessionVersion < before_version)) connection.closeForGood();
  }
}
