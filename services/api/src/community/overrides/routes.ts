import { ChannelOverride, caps, errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { inChannel } from "../../access/may.js";
import { permission, viewing } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { findOverrides } from "./repository.js";
import { putOverrideBody } from "./schema.js";
import { type ChannelOverrideService, namedOverride } from "./service.js";

const channelParams = z.object({ id: identifier });
const path = "/channels/:id/overrides";

export function channelOverrideRoutes(overrides: ChannelOverrideService, database: Database): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "overrides.list",
        tag: "channels",
        summary: "List a channel's permission overrides",
        caller: "account",
        params: channelParams,
        may: inChannel(viewing),
        success: ok(z.array(ChannelOverride)),
      },
      async ({ may }) => findOverrides(database, (await may.access()).channel.id),
    ),
    route(
      {
        method: "put",
        path,
        name: "overrides.put",
        tag: "channels",
        summary: "Create or replace the permission override of a role or member",
        caller: "account",
        causes: ["CHANNEL_OVERRIDE_UPDATE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params: channelParams,
        may: inChannel(permission("MANAGE_CHANNELS", errorTexts.manage_channels_required_to_edit_overrides)),
        body: putOverrideBody,
        success: ok(ChannelOverride),
        errors: {
          invalid_input: [
            errorTexts.override_target_required,
            errorTexts.override_two_targets,
            errorTexts.override_bits_overlap,
            errorTexts.allow_range,
            errorTexts.deny_range,
            errorTexts.role_id_invalid,
            errorTexts.user_id_invalid,
            capText(caps.overrides),
          ],
          not_found: [errorTexts.role_not_found, errorTexts.user_not_found],
          forbidden: [errorTexts.cannot_grant_permissions],
        },
      },
      ({ may, body }) => overrides.put(may, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:override_id`,
        name: "overrides.delete",
        tag: "channels",
        summary: "Delete a permission override",
        caller: "account",
        causes: ["CHANNEL_OVERRIDE_DELETE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params: channelParams.extend({ override_id: identifier }),
        may: inChannel(
          permission("MANAGE_CHANNELS", errorTexts.manage_channels_required_to_delete_overrides),
          namedOverride,
        ),
        success: noContent(),
      },
      ({ may, params }) => overrides.delete(may, params.override_id),
    ),
  ];
}
