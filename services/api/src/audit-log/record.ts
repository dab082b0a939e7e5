import type { Database } from "@parley/database";
import type { Logger } from "@parley/service-runtime";
import { type AuditEntry, appendAudit } from "./append.js";

/** Writes an entry about a moderation that is done. */
export type RecordAudit = (entry: AuditEntry) => Promise<void>;

/** Never rejects: a failed audit write never undoes a moderation, so it comes after the commit (contract.md 10.1). */
export function createRecordAudit({ database, logger }: { database: Database; logger: Logger }): RecordAudit {
  return async (entry) => {
    try {
      await appendAudit(database, entry);
    } catch (err) {
      logger.error({ err, ...entry }, "an audit entry was lost");
    }
  };
}
