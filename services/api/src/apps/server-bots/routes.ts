import { caps, errorTexts, Member } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { inServer } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import { membershipCaps } from "../../community/members/membership.js";
import { identifier } from "../../platform/http/input.js";
import { created, type Route, route } from "../../platform/http/route.js";
import { addBotBody } from "../bots/schema.js";
import type { ServerBots } from "./service.js";

export function serverBotRoutes(serverBots: ServerBots): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/servers/:id/bots",
        name: "bots.addToServer",
        summary: "Add a bot to a server, with the permissions that it is given",
        description:
          "A public bot, or one of the caller's own; also to a private server. Unless the permissions are 0, the bot gets a " +
          "role with its name.",
        caller: "account",
        causes: [
          "SERVER_JOIN",
          "MEMBER_JOIN",
          "COMMANDS_UPDATE",
          "ROLE_CREATE",
          "MEMBER_ROLE_ADD",
          "SERVER_RAID_START",
          "SERVER_RAID_END",
          "AUDIT_LOG_ENTRY_CREATE",
        ],
        params: z.object({ id: identifier }),
        may: inServer(permission("MANAGE_SERVER", errorTexts.manage_server_required_to_add_bots)),
        body: addBotBody,
        success: created(Member),
        errors: {
          invalid_input: [
            errorTexts.bot_id_invalid,
            errorTexts.permissions_range,
            errorTexts.bot_is_revoked,
            ...membershipCaps,
            capText(caps.roles),
          ],
          not_found: [errorTexts.bot_not_found],
          forbidden: [errorTexts.cannot_grant_permissions, errorTexts.banned, errorTexts.under_raid],
          conflict: [errorTexts.already_member],
        },
      },
      ({ may, body }) => serverBots.add(may, body),
    ),
  ];
}
