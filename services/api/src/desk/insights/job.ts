import { insightSpans, lastDays } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { daysToCount } from "./days.js";
import {
  type ClaimedServer,
  claimServer,
  countAgain,
  countDay,
  dueCounts,
  findCounted,
  finishCount,
} from "./repository.js";

/** How old figures become at most, but for what waits (docs/protocol/communities.md#34.8: an hour). */
const intervalMs = 50 * 60_000;
const daysMax = Math.max(...insightSpans);

/**
 * Counts the figures of servers: a day of a server at a time, oldest first, so that a server with a long history keeps no other
 * one waiting. Each day is one statement that writes the whole row anew, so whichever process dies, another one goes on, and
 * a day that is counted twice is the same.
 */
export function countInsights(database: Database): Job {
  const step = async ({ id, timezone, created_at, now }: ClaimedServer) => {
    const days = lastDays(daysMax, { now, timeZone: timezone });
    const [first, today] = [days[0], days.at(-1)];
    if (first === undefined || today === undefined) throw new Error("There is no day");
    const counted = await findCounted(database, id, first.date);
    const [next = today] = daysToCount(days, { counted, since: created_at, now });
    await countDay(database, id, next);
    if (next !== today) return countAgain(database, id);
    const since = insightSpans.map((span) => ({ days: span, start: days.at(-span)?.start ?? first.start }));
    const dueAt = new Date(Math.min(now.getTime() + intervalMs, today.end.getTime()));
    await finishCount(database, id, { date: today.date, dueAt, since });
  };
  return {
    name: "server figures",
    causes: [],
    when: { due: dueCounts },
    async batch({ resting }) {
      const server = await claimServer(database, resting.keys());
      if (server === undefined) return untilNone(0);
      await resting.one(server.id, () => step(server));
      return untilNone(1);
    },
  };
}
