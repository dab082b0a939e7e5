import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../../platform/http/input.js";
import { noContent, none, ok, type Route, route } from "../../../platform/http/route.js";
import { pageErrors, serverPageQuery } from "../page-schema.js";
import { AdminServer, AdminServerPage, updateAdminServerBody } from "./schema.js";
import type { AdminServerService } from "./service.js";

export function adminServerRoutes(servers: AdminServerService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/servers",
        name: "admin.servers",
        tag: "administration",
        summary: "List the servers, newest first or by their files",
        description: "`search`: part of the name, any case.",
        caller: "admin",
        query: serverPageQuery,
        success: ok(AdminServerPage),
        errors: { invalid_input: [...pageErrors, errorTexts.server_sort_by_invalid] },
      },
      ({ query }) => servers.list(query),
    ),
    route(
      {
        method: "patch",
        path: "/admin/servers/:id",
        name: "admin.updateServer",
        tag: "administration",
        summary: "Hide a server from the list of public servers, put it first, or give it a quota",
        caller: "admin",
        causes: none("the list of public servers is read when a page shows it"),
        params: z.object({ id: identifier }),
        body: updateAdminServerBody,
        success: ok(AdminServer),
        errors: {
          not_found: [errorTexts.server_not_found],
          invalid_input: [errorTexts.listed_not_boolean, errorTexts.featured_not_boolean, errorTexts.quota_invalid],
        },
      },
      ({ identity, params, body }) => servers.update(identity.userId, params.id, body),
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
