import { BulkBan, errorTexts, Timeout } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { banBody, bulkBanBody, describedTimeoutBody, removalBody, timeoutBody } from "./schema.js";
import type { ModerationService } from "./service.js";

const params = z.object({ server_id: identifier, user_id: identifier });
const path = "/servers/:server_id/members/:user_id";
/** The service judges target and caller together, in the order of docs/protocol/moderation.md#10.1. */
const may = inServer();
const forbidden = [
  errorTexts.cannot_moderate_owner,
  errorTexts.missing_permission,
  errorTexts.second_factor_to_moderate,
  errorTexts.cannot_moderate_above,
];

export function moderationRoutes(moderation: ModerationService): Route[] {
  return [
    route(
      {
        method: "post",
        path: `${path}/kick`,
        name: "moderation.kick",
        summary: "Kick a member",
        caller: "account",
        causes: [
          "MEMBER_KICK",
          "MEMBER_LEAVE",
          "SERVER_LEAVE",
          "COMMANDS_UPDATE",
          "VOICE_STATE_UPDATE",
          "GO_LIVE_STOP",
          "AUDIT_LOG_ENTRY_CREATE",
        ],
        params,
        may,
        body: removalBody,
        success: noContent(),
        errors: {
          invalid_input: [errorTexts.reason_length, errorTexts.cannot_moderate_yourself],
          forbidden,
        },
      },
      ({ may, params, body }) => moderation.kick(may, params, body.reason ?? null),
    ),
    route(
      {
        method: "post",
        path: `${path}/ban`,
        name: "moderation.ban",
        summary: "Ban a user, member or not",
        caller: "account",
        causes: [
          "MEMBER_BAN",
          "MEMBER_LEAVE",
          "SERVER_LEAVE",
          "COMMANDS_UPDATE",
          "VOICE_STATE_UPDATE",
          "GO_LIVE_STOP",
          "AUDIT_LOG_ENTRY_CREATE",
        ],
        params,
        may,
        body: banBody,
        success: noContent(),
        errors: {
          invalid_input: [
            errorTexts.reason_length,
            errorTexts.delete_message_seconds_range,
            errorTexts.expires_in_minutes_range,
            errorTexts.cannot_moderate_yourself,
          ],
          not_found: [errorTexts.user_not_found],
          forbidden,
        },
      },
      ({ may, params, body }) => moderation.ban(may, params, body),
    ),
    route(
      {
        method: "post",
        path: "/servers/:server_id/bans/bulk",
        name: "moderation.banMany",
        tag: "bans",
        summary: "Ban many users at once",
        caller: "account",
        causes: [
          "MEMBER_BAN",
          "MEMBER_LEAVE",
          "SERVER_LEAVE",
          "COMMANDS_UPDATE",
          "VOICE_STATE_UPDATE",
          "GO_LIVE_STOP",
          "AUDIT_LOG_ENTRY_CREATE",
        ],
        params: z.object({ server_id: identifier }),
        may: inServer(permission("BAN_MEMBERS", errorTexts.missing_permission)),
        body: bulkBanBody,
        success: ok(BulkBan),
        errors: {
          invalid_input: [errorTexts.user_ids_count, errorTexts.reason_length, errorTexts.delete_message_seconds_range],
        },
      },
      ({ may, body }) => moderation.banMany(may, body),
    ),
    route(
      {
        method: "post",
        path: `${path}/timeout`,
        name: "moderation.timeout",
        summary: "Bar a member from writing for a while",
        caller: "account",
        causes: ["MEMBER_TIMEOUT", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may,
        body: timeoutBody,
        describedBody: describedTimeoutBody,
        success: ok(Timeout),
        errors: {
          invalid_input: [
            errorTexts.reason_length,
            errorTexts.cannot_moderate_yourself,
            errorTexts.duration_minutes_range,
          ],
          forbidden,
        },
      },
      ({ may, params, body }) => moderation.timeout(may, params, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/timeout`,
        name: "moderation.endTimeout",
        summary: "End a timeout",
        caller: "account",
        causes: ["MEMBER_TIMEOUT_REMOVE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may,
        success: noContent(),
        errors: { invalid_input: [errorTexts.cannot_moderate_yourself], forbidden },
      },
      ({ may, params }) => moderation.removeTimeout(may, params),
    ),
  ];
}
