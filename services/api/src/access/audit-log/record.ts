import type { Transaction } from "@parley/database/prisma";
import type { ExtraWork } from "@parley/moderation";
import type { Logger } from "@parley/service-runtime";
import { type AuditEntry, tryAnnounceAudit } from "./repository.js";

/** Makes a function that writes an entry about a moderation in the moderation's own transaction. */
export type RecordAudit = (entry: AuditEntry & { serverId: string }) => ExtraWork<Transaction>;

/**
 * The entry is committed with the moderation, so that no crash leaves one without the other. An entry that cannot be
 * written is rolled back alone: it never undoes a moderation (docs/protocol/moderation.md#10.1).
 */
export function createRecordAudit({ logger }: { logger: Logger }): RecordAudit {
  return (entry) => (transaction, emit) =>
    tryAnnounceAudit({ transaction, emit }, entry, (err) => logger.error({ err, ...entry }, "an audit entry was lost"));
}
