import { errorTexts, Retention } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { retentionBody } from "./schema.js";
import type { RetentionService } from "./service.js";

const params = z.object({ id: identifier });
const notFound = [errorTexts.server_not_found];

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
        success: ok(Retention),
        errors: { not_found: notFound },
      },
      ({ identity, params }) => retention.get(identity.userId, params.id),
    ),
    route(
      {
        method: "put",
        path: "/servers/:id/retention",
        name: "servers.updateRetention",
        summary: "Set how long a server's messages are kept",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        body: retentionBody,
        success: ok(Retention),
        errors: {
          invalid_input: [errorTexts.retention_days_invalid],
          not_found: notFound,
          forbidden: [errorTexts.server_update_owner_only],
        },
      },
      ({ identity, params, body }) => retention.set(identity.userId, params.id, body.retention_days),
    ),
  ];
}
