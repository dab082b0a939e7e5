import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { pageLimit } from "../../platform/http/page-limit.js";
import { noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { declineBody, RegistrationPage, registrationQuery } from "./schema.js";
import type { RegistrationQueue } from "./service.js";

const params = z.object({ user_id: identifier });
const causes = none("the account has no session yet");
const missing = [errorTexts.registration_not_found];
const tag = "administration";

export function registrationQueueRoutes(queue: RegistrationQueue): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/registrations",
        name: "admin.registrations",
        tag,
        summary: "List registrations that wait, or were declined, the newest first",
        caller: "admin",
        query: registrationQuery.extend({ limit: pageLimit }),
        success: ok(RegistrationPage),
        errors: { invalid_input: [errorTexts.registration_state_invalid, errorTexts.before_invalid] },
      },
      ({ query: { before, ...query } }) => queue.list({ ...query, before }),
    ),
    route(
      {
        method: "post",
        path: "/admin/registrations/:user_id/approve",
        name: "admin.approveRegistration",
        tag,
        summary: "Let an account log in",
        caller: "admin",
        causes,
        params,
        success: noContent(),
        errors: { not_found: missing },
      },
      ({ identity, params }) => queue.approve(identity.userId, params.user_id),
    ),
    route(
      {
        method: "post",
        path: "/admin/registrations/:user_id/decline",
        name: "admin.declineRegistration",
        tag,
        summary: "Decline a registration, whose name is free again after 30 days",
        caller: "admin",
        causes,
        params,
        body: declineBody,
        success: noContent(),
        errors: { invalid_input: [errorTexts.decline_reason_length], not_found: missing },
      },
      ({ identity, params, body }) => queue.decline(identity.userId, params.user_id, body.reason ?? null),
    ),
  ];
}
