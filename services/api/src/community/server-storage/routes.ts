import { errorTexts, StorageUse } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import { findServerUse } from "../../platform/files/quotas/repository.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";

/** The right to read the figures of a server. */
export const managing = permission("MANAGE_SERVER", errorTexts.manage_server_required);

export function serverStorageRoutes(database: Database): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/storage",
        name: "servers.storage",
        summary: "Read how much the files of a server take",
        description: "Attachments, emoji and the pictures of the server.",
        caller: "account",
        params: z.object({ id: identifier }),
        may: inServer(managing),
        success: ok(StorageUse),
      },
      async ({ may }) => findServerUse(database, (await may.access()).serverId),
    ),
  ];
}
