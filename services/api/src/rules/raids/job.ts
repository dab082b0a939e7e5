import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { findDue } from "./repository.js";
import { announceChange } from "./state.js";

/**
 * Announces the ends of raids, which expire by time alone, and raids that refused joins have made longer. Every process
 * does it; the row that is changed with the event sees to it that each is announced once.
 */
export function announceRaids({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  return {
    name: "raids",
    causes: ["SERVER_RAID_START", "SERVER_RAID_END"],
    when: { everyMs: 1_000 },
    sizeMax: 50,
    async batch({ size, resting }) {
      const due = await findDue(database, size, resting.keys());
      await resting.each(due, String, (serverId) =>
        outbox.transaction([{ server_id: serverId }], (transaction, emit) =>
          announceChange(transaction, emit, serverId),
        ),
      );
      return untilNone(due.length);
    },
  };
}
