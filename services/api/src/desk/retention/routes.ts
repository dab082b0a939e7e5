import { errorTexts, Retention } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { updateRight } from "../../community/servers/service.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { retentionBody } from "./schema.js";
import type { RetentionService } from "./service.js";

const params = z.object({ id: identifier });

export function retentionRoutes(retention: RetentionService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/retention",
        name: "servers.retention",
        summary: "Get how long a server's messages are kept",
        caller: "account",
        params,
        may: inServer(),
        success: ok(Retention),
      },
      async ({ may }) => retention.get((await may.access()).serverId),
    ),
    route(
      {
        method: "put",
        path: "/servers/:id/retention",
        name: "servers.updateRetention",
        summary: "Set how long a server's messages are kept",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: inServer(updateRight),
        body: retentionBody,
        success: ok(Retention),
        errors: { invalid_input: [errorTexts.retention_days_invalid] },
      },
      ({ may, body }) => retention.set(may, body.retention_days),
    ),
  ];
}
