import { timestamp } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { appendAdminLog } from "../../access/admin-log/repository.js";
import { lockAdministration } from "../../access/repository.js";
import { none, ok, type Route, route } from "../../platform/http/route.js";
import { findReindexing, pauseReindexing } from "./reindexing-repository.js";

const SearchReindexing = z
  .object({
    state: z.enum(["running", "paused", "done"]),
    done: z.int().meta({ minimum: 0, description: "Messages that have the words of their language", example: 100 }),
    total: z.int().meta({ minimum: 0, description: "All messages, an estimate until the end", example: 400 }),
    started_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: "SearchReindexing" });
type SearchReindexing = z.infer<typeof SearchReindexing>;

const path = "/admin/search-reindexing";
const tag = "administration";

/** The reindexing of the search, for administrators (docs/protocol/search.md#reindexing). */
export function reindexingRoutes(database: Database): Route[] {
  const change = (name: "pause" | "resume", summary: string) =>
    route(
      {
        method: "post",
        path: `${path}/${name}`,
        name: `admin.${name}SearchReindexing`,
        ...{ tag, summary, caller: "admin", causes: none("people see nothing of it") },
        success: ok(SearchReindexing),
      },
      async ({ identity: { userId: adminId } }) => {
        await database.transaction(async (transaction) => {
          await lockAdministration(transaction);
          await requireAdminsRemain(transaction, adminId);
          await pauseReindexing(transaction, name === "pause");
          await appendAdminLog(transaction, {
            ...{ adminId, action: `search_reindexing_${name}`, targetId: null, details: {} },
          });
        });
        return show(database);
      },
    );
  return [
    route(
      {
        method: "get",
        path,
        name: "admin.searchReindexing",
        tag,
        summary: "How far the search is with the messages of an earlier version",
        caller: "admin",
        success: ok(SearchReindexing),
      },
      () => show(database),
    ),
    change("pause", "Pause the reindexing of the search after the batch that is under way"),
    change("resume", "Let the reindexing of the search go on"),
  ];
}

async function show(database: Database): Promise<SearchReindexing> {
  const progress = await findReindexing(database);
  if (progress === null) throw new Error("search_reindexing has no row");
  const { done, total, started_at, finished_at, isDue, paused } = progress;
  return {
    state: !isDue ? "done" : paused ? "paused" : "running",
    ...{ done, total, started_at: started_at.toISOString() },
    finished_at: isDue ? null : (finished_at?.toISOString() ?? null),
  };
}
