import { closeCodes, type EventPayload, events, subjects } from "@parley/contracts";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { FillGap } from "../stream/gap.js";
import { type InboundEvent, toInboundEvent } from "../stream/inbound-event.js";
import { gapBefore, isDue, markDelivered, type PrecedingGap } from "../stream/stream-order.js";
import type { Memberships } from "./membership.js";

/** Delivers an event to one user, or applies a control event; runs in the user's serial queue. */
export type PassUserEvent = (user: UserEntry, inbound: InboundEvent) => void | Promise<void>;

export function createUserEvents(options: {
  hub: Hub;
  memberships: Memberships;
  fillGap: FillGap;
  lowWatermark: () => number;
}): PassUserEvent {
  const { hub, memberships, fillGap, lowWatermark } = options;

  function pass(user: UserEntry, inbound: InboundEvent): void | Promise<void> {
    if (!isDue(user, inbound)) return;
    const gap = gapBefore(user, inbound);
    if (gap !== null) return passAfterGap(user, inbound, gap);
    deliver(user, inbound);
  }

  async function passAfterGap(user: UserEntry, inbound: InboundEvent, gap: PrecedingGap): Promise<void> {
    const filter = subjects.storedUser(user.id);
    const isFilled = await fillGap({ filter, ...gap }, (event) => pass(user, toInboundEvent(event, true)));
    if (!isFilled) hub.closeForResync([user], "events of a user were lost");
    deliver(user, inbound);
  }

  function deliver(user: UserEntry, inbound: InboundEvent): void {
    markDelivered(user, inbound, lowWatermark);
    if (inbound.internal) applyControlEvent(user, inbound);
    else user.send(inbound.frame, inbound.receivedAt);
  }

  function applyControlEvent(user: UserEntry, inbound: InboundEvent): void {
    const payload: unknown = JSON.parse(inbound.body.toString());
    switch (inbound.address.event) {
      case "SERVER_JOINED": {
        const { server_id } = events.SERVER_JOINED.payload.parse(payload);
        memberships.join(user, server_id, inbound.stored?.sequence ?? 0);
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

function closeSessions(user: UserEntry, { connection_id }: EventPayload<"SESSION_CLOSE">): void {
  for (const connection of [...user.connections]) {
    if (connection_id === null || connection.id === connection_id) connection.close(closeCodes.normal);
  }
}
