import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import type { Alongside } from "@parley/moderation";
import type { Logger } from "@parley/service-runtime";
import { type AuditEntry, appendAudit } from "./append.js";

/** Makes what writes an entry about a moderation in the moderation's own transaction. */
export type RecordAudit = (entry: AuditEntry) => Alongside<Transaction>;

const savepointStatement = defineStatement({ name: "audit_savepoint", text: "SAVEPOINT audit" });
const rollbackStatement = defineStatement({ name: "audit_rollback", text: "ROLLBACK TO SAVEPOINT audit" });

/**
 * The entry is committed with the moderation, so that no crash leaves one without the other. An entry that cannot be
 * written is rolled back alone: it never undoes a moderation (docs/interface.md#10.1).
 */
export function createRecordAudit({ logger }: { logger: Logger }): RecordAudit {
  return (entry) => async (transaction) => {
    await transaction.execute(savepointStatement, []);
    try {
      await appendAudit(transaction, entry);
    } catch (err) {
      await transaction.execute(rollbackStatement, []);
      logger.error({ err, ...entry }, "an audit entry was lost");
    }
  };
}
