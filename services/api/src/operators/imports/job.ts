import { randomUUID } from "node:crypto";
import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { type Job, wholeRound } from "../../platform/jobs/job.js";
import {
  claimImport,
  dueImports,
  failImport,
  keepLease,
  leaseSeconds,
  leaveImport,
  runningMax,
} from "./core/repository.js";
import { runImporter } from "./run-importer.js";

/** Has a process of its own read, write and undo imports; after a crash any other api goes on. */
export function runImports({ database, logger }: { database: Database; logger: Logger }): Job {
  return {
    name: "imports",
    causes: ["SERVER_JOIN", "MEMBER_JOIN", "CHANNEL_CREATE", "CHANNEL_DELETE", "SERVER_UPDATE", "SERVER_LEAVE"],
    when: { due: dueImports },
    lanes: runningMax,
    async batch({ signal }) {
      const lease = randomUUID();
      const claimed = await claimImport(database, lease);
      if (claimed === undefined) return wholeRound();
      const { id } = claimed;
      if (claimed.has_failed) {
        await failImport(database, {
          id,
          lease,
          error: "The process that reads and writes archives ended three times.",
        });
        return wholeRound(1);
      }
      const keep = () =>
        keepLease(database, id, lease).catch((err: unknown) => logger.warn({ err }, "a lease was not kept"));
      const timer = setInterval(keep, (leaseSeconds * 1_000) / 4);
      const failure = await runImporter({ id, lease }, signal).finally(() => clearInterval(timer));
      if (failure !== null) logger.warn({ import: id, failure }, "the process of an import ended");
      await leaveImport(database, id, lease);
      return wholeRound(1);
    },
  };
}
