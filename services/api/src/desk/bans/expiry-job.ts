import { ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { endExpiredBan, type Membership } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import { createRecordAudit } from "../../access/audit-log/record.js";
import type { Job } from "../../platform/jobs/job.js";
import { keyOfMember } from "../../platform/jobs/resting-rows.js";
import { findExpiredBans } from "./expiry-repository.js";

/**
 * Ends expired bans. Every process tries each of them: the lock of its server lets one of them delete the row, and only
 * that one announces and records it.
 */
export function endExpiredBans(options: { database: Database; outbox: Outbox<Transaction>; logger: Logger }): Job {
  const { database, outbox, logger } = options;
  const recordAudit = createRecordAudit({ logger });

  const end = async (ban: Membership): Promise<void> => {
    const { serverId, userId: targetId } = ban;
    const audit = recordAudit({
      serverId,
      actorId: null,
      action: "member_unban",
      targetId,
      details: { expired: true },
    });
    const ended = outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
      if (await endExpiredBan(transaction, emit, ban)) await audit(transaction, emit);
    });
    // The server was deleted, with its bans.
    await ended.catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  };

  return {
    name: "expired bans",
    causes: ["MEMBER_UNBAN", "AUDIT_LOG_ENTRY_CREATE"],
    // They end within 60 seconds (docs/protocol/moderation.md#24.4).
    when: { everyMs: 5_000 },
    sizeMax: 50,
    async batch({ size, resting }) {
      const expired = await findExpiredBans(database, size, resting.keys());
      await resting.each(expired, keyOfMember, end);
      return { rows: expired.length, more: expired.length === size };
    },
  };
}
