import { type EventPayload, events, subjects } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { z } from "zod";
import { encodeTextFrame } from "../connection/frames.js";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import { passedEvent, type SendEvent } from "../numbered/send-event.js";
import type { FillGap } from "../stream/gap.js";
import { gapBefore, isDue, markDelivered, type PrecedingGap } from "../stream/stream-order.js";
import type { Memberships } from "./membership.js";

/** The part of DM_CHANNEL_CREATE that names the partner. */
const DmChannelCreate = z.object({ d: z.object({ recipient: z.object({ id: z.string() }) }) });

/** Delivers an event to one user, or applies a control event; runs in the user's serial queue. */
export type PassUserEvent = (user: UserEntry, event: ReceivedEvent) => void | Promise<void>;

export function createUserEvents(options: {
  hub: Hub;
  memberships: Memberships;
  fillGap: FillGap;
  sendEvent: SendEvent;
  lowWatermark: () => number;
}): PassUserEvent {
  const { hub, memberships, fillGap, sendEvent, lowWatermark } = options;

  function pass(user: UserEntry, event: ReceivedEvent): void | Promise<void> {
    if (!isDue(user, event)) return;
    const gap = gapBefore(user, event);
    if (gap !== null) return passAfterGap(user, event, gap);
    deliver(user, event);
  }

  async function passAfterGap(user: UserEntry, event: ReceivedEvent, gap: PrecedingGap): Promise<void> {
    const filter = subjects.storedUser(user.id);
    user.subscription.pending.beginUnordered();
    const isFilled = await fillGap({ filter, ...gap }, (missed) => pass(user, missed));
    user.subscription.pending.endUnordered();
    if (!isFilled) hub.closeForResync([user], "events of a user were lost");
    deliver(user, event);
  }

  function deliver(user: UserEntry, event: ReceivedEvent): void {
    markDelivered(user, event, lowWatermark);
    if (event.definition?.internal) {
      applyControlEvent(user, event);
      return;
    }
    if (user.watchesPartners && event.address.event === "DM_CHANNEL_CREATE") addPartner(user, event);
    const topic = { event: event.address.event, serverCrc: null };
    sendEvent(user, passedEvent(user, event, encodeTextFrame(event.body), 1), topic);
  }

  function addPartner(user: UserEntry, event: ReceivedEvent): void {
    const created = DmChannelCreate.safeParse(JSON.parse(Buffer.from(event.body).toString()));
    if (created.success) hub.watches.partners.watch(user, created.data.d.recipient.id);
  }

  function applyControlEvent(user: UserEntry, event: ReceivedEvent): void {
    const payload: unknown = JSON.parse(Buffer.from(event.body).toString());
    switch (event.address.event) {
      case "SERVER_JOINED": {
        const { server_id } = events.SERVER_JOINED.payload.parse(payload);
        memberships.join(user, server_id, event.stored?.sequence ?? 0);
        break;
      }
      case "SERVER_LEFT":
        memberships.leave(user, events.SERVER_LEFT.payload.parse(payload).server_id);
        break;
      case "SESSION_CLOSE":
        closeSessions(user, events.SESSION_CLOSE.payload.parse(payload));
        break;
    }
  }

  return pass;
}

function closeSessions(user: UserEntry, close: EventPayload<"SESSION_CLOSE">): void {
  const { connection_id, session_id, before_version = Number.POSITIVE_INFINITY } = close;
  for (const connection of [...user.connections]) {
    const isNamed = session_id === undefined ? connection.id === connection_id : connection.sessionId === session_id;
    const isAmongAll = connection_id === null && session_id === undefined;
    if (isNamed || (isAmongAll && connection.sessionVersion < before_version)) connection.closeForGood();
  }
}
