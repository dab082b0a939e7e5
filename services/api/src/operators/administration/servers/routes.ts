import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../../platform/http/route.js";
import { pageErrors, pageQuery } from "../page-schema.js";
import { AdminServerPage } from "./schema.js";
import type { AdminServerService } from "./service.js";

export function adminServerRoutes(servers: AdminServerService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/servers",
        name: "admin.servers",
        tag: "administration",
        summary: "List the servers, newest first",
        description: "`search`: part of the name, any case.",
        caller: "admin",
        query: pageQuery,
        success: ok(AdminServerPage),
        errors: { invalid_input: pageErrors },
      },
      ({ query }) => servers.list(query),
    ),
    route(
      {
        method: "delete",
        path: "/admin/servers/:id",
        name: "admin.deleteServer",
        tag: "administration",
        summary: "Delete a server",
        caller: "admin",
        causes: ["SERVER_LEAVE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params: z.object({ id: identifier }),
        success: noContent(),
        errors: { not_found: [errorTexts.server_not_found] },
      },
      ({ identity, params }) => servers.delete(identity.userId, params.id),
    ),
  ];
}
