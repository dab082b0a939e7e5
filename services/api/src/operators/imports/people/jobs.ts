import { createEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { lockServer } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { insertAssignment } from "../../../community/member-roles/repository.js";
import { deleteOverride, hasOverride, putOverride } from "../../../community/overrides/repository.js";
import { type Job, untilNone } from "../../../platform/jobs/job.js";
import {
  type DueClaim,
  dueClaims,
  findDueClaims,
  findDueOverrides,
  findDueRoles,
  moveSome,
  noteRoleGiven,
} from "./repository.js";

/** Gives the messages, reactions, pins and mentions of claimed people to their accounts, in batches beside the traffic. */
export function moveClaimed({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  return {
    name: "claimed people",
    causes: ["CHANNEL_OVERRIDE_UPDATE", "CHANNEL_OVERRIDE_DELETE"],
    when: { due: dueClaims },
    sizeMax: 500,
    async batch({ size, resting }) {
      let rows = 0;
      const claims = await findDueClaims(database, resting.keys());
      const move = async (claim: (typeof claims)[number]) => {
        const overrides = await findDueOverrides(database, claim, size);
        for (const override of overrides) await moveOverride(outbox, claim, override);
        rows += overrides.length + (await moveSome(database, claim, size));
      };
      await resting.each(claims, ({ id }) => id, move);
      return { rows, more: claims.length > 0 };
    },
  };
}

/** The account's own override of the channel stays. */
async function moveOverride(
  outbox: Outbox<Transaction>,
  { claimed_by }: DueClaim,
  { id, channel_id, server_id, has_own, ...bits }: Awaited<ReturnType<typeof findDueOverrides>>[number],
): Promise<void> {
  await outbox.transaction([{ server_id }], async (transaction, emit) => {
    await lockServer(transaction, server_id);
    if (!(await hasOverride(transaction, channel_id, id))) return;
    await deleteOverride(transaction, id);
    emit(createEvent("CHANNEL_OVERRIDE_DELETE", { server_id }, { channel_id, override_id: id }));
    if (has_own) return;
    const override = await putOverride(transaction, channel_id, { roleId: null, userId: claimed_by }, bits);
    emit(createEvent("CHANNEL_OVERRIDE_UPDATE", { server_id }, override));
  });
}

/** Gives the roles of claimed people to their accounts, once these are members. */
export function giveRoles({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  return {
    name: "roles of claimed people",
    causes: ["MEMBER_ROLE_ADD"],
    when: { everyMs: 2_000 },
    sizeMax: 50,
    async batch({ size, resting }) {
      const rest = new Set(resting.keys());
      const due = (await findDueRoles(database, size)).filter(({ id }) => !rest.has(id));
      const give = ({ id, user_id, role_id, server_id, name, color }: (typeof due)[number]) =>
        outbox.transaction([{ server_id }], async (transaction, emit) => {
          await noteRoleGiven(transaction, id, role_id);
          if (!(await insertAssignment(transaction, { server_id, user_id, role_id }))) return;
          const payload = { server_id, user_id, role_id, role_name: name, role_color: color };
          emit(createEvent("MEMBER_ROLE_ADD", { server_id }, payload));
        });
      await resting.each(due, ({ id }) => id, give);
      return untilNone(due.length);
    },
  };
}
