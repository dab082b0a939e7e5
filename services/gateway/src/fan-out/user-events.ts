import { closeCodes, type EventPayload, events, subjects } from "@parley/contracts";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import { type Arrival, arrivalOf } from "../stream/arrival.js";
import type { FillGap } from "../stream/gap.js";
import { gapBefore, isDue, type MissingBefore, note } from "../stream/stream-order.js";
import type { Memberships } from "./membership.js";

/** Delivers an event to one user, or does what an internal one says; for the user's lane. */
export type PassUserEvent = (user: UserEntry, arrival: Arrival) => void | Promise<void>;

export function createUserEvents(options: {
  hub: Hub;
  memberships: Memberships;
  fillGap: FillGap;
  settledSequence: () => number;
}): PassUserEvent {
  const { hub, memberships, fillGap, settledSequence } = options;

  function pass(user: UserEntry, arrival: Arrival): void | Promise<void> {
    if (!isDue(user, arrival)) return;
    const gap = gapBefore(user, arrival);
    if (gap !== null) return passAfterGap(user, arrival, gap);
    deliver(user, arrival);
  }

  async function passAfterGap(user: UserEntry, arrival: Arrival, gap: MissingBefore): Promise<void> {
    const filter = subjects.storedUser(user.id);
    const isFilled = await fillGap({ filter, ...gap }, (event) => pass(user, arrivalOf(event, true)));
    if (!isFilled) hub.resynchronise([user], "events of a user were lost");
    deliver(user, arrival);
  }

  function deliver(user: UserEntry, arrival: Arrival): void {
    note(user, arrival, settledSequence);
    if (arrival.internal) steer(user, arrival);
    else user.send(arrival.frame, arrival.at);
  }

  function steer(user: UserEntry, arrival: Arrival): void {
    const payload: unknown = JSON.parse(arrival.body.toString());
    switch (arrival.address.event) {
      case "SERVER_JOINED": {
        const { server_id } = events.SERVER_JOINED.payload.parse(payload);
        memberships.join(user, server_id, arrival.stored?.sequence ?? 0);
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
