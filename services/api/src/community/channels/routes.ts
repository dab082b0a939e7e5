import { Channel, caps, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { createChannelBody, updateChannelBody } from "./schema.js";
import type { ChannelService } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const channelParams = z.object({ id: identifier, server_id: identifier.optional() });
const path = "/channels/:id";
const aliases = ["/servers/:server_id/channels/:id"];
const channelNotFound = [errorTexts.channel_not_found];
const needManageChannels = [errorTexts.manage_channels_required];
const inputErrors = [
  errorTexts.channel_name_length,
  errorTexts.channel_type_invalid,
  errorTexts.topic_length,
  errorTexts.category_length,
];

export function channelRoutes(channels: ChannelService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/channels",
        name: "channels.list",
        summary: "List the channels that the caller may view",
        caller: "account",
        params: serverParams,
        success: ok(z.array(Channel)),
        errors: { not_found: [errorTexts.server_not_found] },
      },
      ({ identity, params }) => channels.list(identity.userId, params.server_id),
    ),
    route(
      {
        method: "post",
        path: "/servers/:server_id/channels",
        name: "channels.create",
        summary: "Create a channel",
        caller: "account",
        causes: ["CHANNEL_CREATE"],
        params: serverParams,
        body: createChannelBody,
        success: created(Channel),
        errors: {
          invalid_input: [...inputErrors, capText(caps.channels)],
          not_found: [errorTexts.server_not_found],
          forbidden: needManageChannels,
        },
      },
      ({ identity, params, body }) => channels.create(identity.userId, params.server_id, body),
    ),
    route(
      {
        method: "get",
        path,
        aliases,
        name: "channels.get",
        summary: "Get a channel",
        caller: "account",
        params: channelParams,
        success: ok(Channel),
        errors: { not_found: channelNotFound, forbidden: [errorTexts.view_channel_required] },
      },
      ({ identity, params }) => channels.get(identity.userId, params),
    ),
    route(
      {
        method: "patch",
        path,
        aliases,
        name: "channels.update",
        summary: "Update a channel",
        caller: "account",
        causes: ["CHANNEL_UPDATE"],
        params: channelParams,
        body: updateChannelBody,
        success: ok(Channel),
        errors: {
          invalid_input: [
            ...inputErrors,
            errorTexts.position_invalid,
            errorTexts.slow_mode_seconds_range,
            errorTexts.channel_type_fixed,
          ],
          not_found: channelNotFound,
          forbidden: needManageChannels,
        },
      },
      ({ identity, params, body }) => channels.update(identity.userId, params, body),
    ),
    route(
      {
        method: "delete",
        path,
        aliases,
        name: "channels.delete",
        summary: "Delete a channel",
        caller: "account",
        causes: ["CHANNEL_DELETE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params: channelParams,
        success: noContent(),
        errors: { not_found: channelNotFound, forbidden: needManageChannels },
      },
      ({ identity, params }) => channels.delete(identity.userId, params),
    ),
  ];
}
