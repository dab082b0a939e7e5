import { createEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { InChannel } from "../../access/may.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import type { LocatedEvent } from "../event-changes/repository.js";
import { toListed } from "../event-changes/service.js";
import { dueNotices, findDueNotices, fireNotice } from "./notice-repository.js";
import { setInterest } from "./repository.js";

/** Says that the caller is interested in an event, or is no longer so; a repetition changes nothing. */
export function changeInterest(may: InChannel<LocatedEvent>, isInterested: boolean): Promise<void> {
  return may.change(async ({ transaction, emit, access: { userId, found } }) => {
    const { server_id, channel_id } = found;
    const event = await setInterest(transaction, { eventId: found.event.id, userId, isInterested });
    if (event === null) return;
    const place = { server_id, channel_id };
    const name = isInterested ? "EVENT_INTEREST_ADD" : "EVENT_INTEREST_REMOVE";
    emit(createEvent("EVENT_UPDATE", place, toListed(event, found)));
    emit(createEvent(name, place, { event_id: event.id, channel_id, user_id: userId }));
  });
}

/** Sends pushes to interested accounts before events and when these start. */
export function noticeEvents({ database }: { database: Database }): Job {
  return {
    name: "event-notices",
    causes: [],
    when: { due: dueNotices },
    sizeMax: 100,
    lanes: 2,
    async batch({ size, resting }) {
      const due = await findDueNotices(database, size, resting.keys());
      await resting.each(
        due,
        (id) => id,
        (id) => fireNotice(database, id),
      );
      return untilNone(due.length);
    },
  };
}
