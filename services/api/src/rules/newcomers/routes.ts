import { errorTexts, Safety, ServerRules } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { owner, right } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { updateSafetyBody } from "./schema.js";
import type { SafetyService } from "./service.js";

const params = z.object({ id: identifier });

export function safetyRoutes(safety: SafetyService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/safety",
        name: "safety.get",
        summary: "Get what a server asks of newcomers and how it recognises raids",
        caller: "account",
        params,
        may: inServer(right("manage_raids", errorTexts.missing_permission)),
        success: ok(Safety),
      },
      async ({ may }) => safety.get((await may.access()).serverId),
    ),
    route(
      {
        method: "patch",
        path: "/servers/:id/safety",
        name: "safety.update",
        summary: "Change what a server asks of newcomers and how it recognises raids",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: inServer(owner(errorTexts.server_update_owner_only)),
        body: updateSafetyBody,
        success: ok(Safety),
        errors: {
          invalid_input: [
            errorTexts.min_account_age_minutes_range,
            errorTexts.min_membership_minutes_range,
            errorTexts.require_verified_email_not_boolean,
            errorTexts.rules_length,
            errorTexts.rules_for_all_not_boolean,
            errorTexts.raid_shield_not_boolean,
            errorTexts.raid_joins_per_minute_range,
            errorTexts.raid_new_accounts_hours_range,
            errorTexts.raid_minutes_range,
          ],
        },
      },
      ({ may, body }) => safety.update(may, body),
    ),
    route(
      {
        method: "get",
        path: "/servers/:id/rules",
        name: "safety.rules",
        summary: "Read the rules of a server",
        caller: "account",
        params,
        may: inServer(),
        success: ok(ServerRules),
      },
      async ({ may }) => safety.rules(await may.access()),
    ),
    route(
      {
        method: "post",
        path: "/servers/:id/rules/accept",
        name: "safety.acceptRules",
        summary: "Accept the rules of a server",
        caller: "account",
        causes: none("nobody is told who has accepted the rules, other devices of the same user neither"),
        params,
        may: inServer(),
        success: noContent("Accepted, before or now"),
      },
      async ({ may }) => safety.accept(await may.access()),
    ),
  ];
}
