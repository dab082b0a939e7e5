/** Entries that the audit log of a server keeps, the newest (docs/interface.md#16.3). */
export const auditEntriesMax = 100_000;
/** Entries that the auto-moderation log of a server keeps; its list shows the newest 100. */
export const automodEntriesMax = 1_000;
/** How long the audit entries of deleted servers are kept, which only the operators can read. */
export const deletedServersAuditDays = 90;
/** How often each process looks for logs that are too long. */
export const trimIntervalMs = 600_000;
/** Servers whose logs one statement looks at, and entries that one removes. */
export const trimServersMax = 20;
export const trimBatchMax = 500;
