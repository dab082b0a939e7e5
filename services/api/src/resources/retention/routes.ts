import { Retention } from "@parley/contracts";
import { z } from "zod";
import { accessErrors } from "../../access/error-texts.js";
import { identifier } from "../../http/input.js";
import { ok, type Route, route } from "../../http/route.js";
import { serverErrors } from "../servers/error-texts.js";
import { retentionBody, retentionDaysError } from "./schema.js";
import type { RetentionService } from "./service.js";

const params = z.object({ id: identifier });
const notFound = [accessErrors.serverNotFound];

export function retentionRoutes(retention: RetentionService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/retention",
        tag: "servers",
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
        tag: "servers",
        summary: "Set how long a server's messages are kept",
        caller: "account",
        params,
        body: retentionBody,
        success: ok(Retention),
        errors: {
          invalid_input: [retentionDaysError],
          not_found: notFound,
          forbidden: [serverErrors.updateOwnerOnly],
        },
      },
      ({ identity, params, body }) => retention.set(identity.userId, params.id, body.retention_days),
    ),
  ];
}
