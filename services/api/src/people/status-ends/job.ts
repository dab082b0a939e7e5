import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { PresenceStatuses } from "@parley/presence";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { getAccount } from "../users/repository.js";
import { toUser } from "../users/resource.js";
import { dueStatuses, endStatus, findDueStatuses } from "./repository.js";

/** Ends custom statuses at their time, and announces it to the account and its co-members (docs/protocol/accounts.md#33.5). */
export function endStatuses({
  database,
  outbox,
  presence,
}: {
  database: Database;
  outbox: Outbox<Transaction>;
  presence: PresenceStatuses;
}): Job {
  const end = async (userId: string) => {
    const hasEnded = await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
      if (!(await endStatus(transaction, userId))) return false;
      emit(createEvent("USER_UPDATE", { user_id: userId }, toUser(await getAccount(transaction, userId))));
      return true;
    });
    // Nothing else changes.
    if (hasEnded) await presence.setStatus(userId, {});
  };
  return {
    name: "ended statuses",
    causes: ["USER_UPDATE", "PRESENCE_UPDATE"],
    when: { due: dueStatuses },
    sizeMax: 100,
    async batch({ size, resting }) {
      const due = await findDueStatuses(database, size, resting.keys());
      await resting.each(due, (userId) => userId, end);
      return untilNone(due.length);
    },
  };
}
