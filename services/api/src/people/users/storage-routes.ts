import { StorageUse } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findAccountUse } from "../../platform/files/quotas/repository.js";
import { ok, type Route, route } from "../../platform/http/route.js";

export function accountStorageRoutes(database: Database): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/@me/storage",
        name: "users.storage",
        summary: "Read how much the caller's files take",
        description: "Attachments in messages and direct messages, those of the caller's bots too.",
        caller: "account",
        success: ok(StorageUse),
      },
      ({ identity }) => findAccountUse(database, identity.userId),
    ),
  ];
}
