import { ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { endExpiredBan, type Membership } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { Closable, Logger } from "@parley/service-runtime";
import { createRecordAudit } from "../../access/audit-log/record.js";
import { keyOfMember, type RestingRows } from "../../platform/load/resting-rows.js";
import { startBatches } from "../../platform/load/start-repeating.js";
import { findExpiredBans } from "./expiry-repository.js";

/** How often each process looks for bans whose time is over; they end within 60 seconds (docs/interface.md#24.4). */
const intervalMs = 5_000;
/** Bans that a process ends between two looks. */
const sizeMax = 50;

/**
 * Ends bans whose time is over. Every process tries each of them: the lock of its server lets one of them delete the
 * row, and only that one announces and records it.
 */
export function startEndingBans(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  resting: RestingRows;
  logger: Logger;
}): Closable {
  const { database, outbox, resting, logger } = options;
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
      if (await endExpiredBan(transaction, emit, ban)) await audit(transaction);
    });
    // The server was deleted, with its bans.
    await ended.catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  };

  return startBatches({
    async batch(size) {
      const expired = await findExpiredBans(database, size, resting.keys());
      await resting.each(expired, keyOfMember, end);
      return expired.length === size;
    },
    sizeMax,
    intervalMs,
    onFailure: (err) => logger.warn({ err }, "bans could not be ended yet"),
  });
}
