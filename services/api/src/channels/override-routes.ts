import { ChannelOverride } from "@parley/contracts";
import { z } from "zod";
import { caps, capText } from "../access/caps.js";
import { cannotView } from "../access/channel-access.js";
import { identifier } from "../http/input.js";
import { noContent, ok, type Route, route } from "../http/route.js";
import { putOverrideBody } from "./override-schema.js";
import type { ChannelOverrideService } from "./override-service.js";

const channelParams = z.object({ id: identifier });
const path = "/channels/:id/overrides";

export function channelOverrideRoutes(overrides: ChannelOverrideService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        tag: "channels",
        summary: "List a channel's permission overrides",
        caller: "account",
        params: channelParams,
        success: ok(z.array(ChannelOverride)),
        errors: { not_found: ["Channel not found"], forbidden: [cannotView] },
      },
      ({ identity, params }) => overrides.list(identity.userId, params.id),
    ),
    route(
      {
        method: "put",
        path,
        tag: "channels",
        summary: "Create or replace the permission override of a role or member",
        caller: "account",
        params: channelParams,
        body: putOverrideBody,
        success: ok(ChannelOverride),
        errors: {
          invalid_input: [
            "Either role_id or user_id must be provided",
            "Only one of role_id or user_id may be provided",
            "allow and deny must not have overlapping bits",
            "allow must be between 0 and 32767",
            "deny must be between 0 and 32767",
            "Invalid role_id",
            "Invalid user_id",
            capText(caps.overrides),
          ],
          not_found: ["Channel not found", "Role not found", "User not found"],
          forbidden: [
            "You need the Manage Channels permission to edit channel overrides",
            "Cannot grant permissions you do not have",
          ],
        },
      },
      ({ identity, params, body }) => overrides.put(identity.userId, params.id, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:override_id`,
        tag: "channels",
        summary: "Delete a permission override",
        caller: "account",
        params: channelParams.extend({ override_id: identifier }),
        success: noContent(),
        errors: {
          not_found: ["Channel not found", "Override not found"],
          forbidden: ["You need the Manage Channels permission to delete channel overrides"],
        },
      },
      ({ identity, params }) => overrides.delete(identity.userId, params),
    ),
  ];
}
