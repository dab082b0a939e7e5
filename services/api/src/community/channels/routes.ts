import { Channel, caps, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { inChannel, inServer } from "../../access/may.js";
import { viewing } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { toChannel } from "./resource.js";
import { createChannelBody, updateChannelBody } from "./schema.js";
import { type ChannelService, manageChannels } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const channelParams = z.object({ id: identifier, server_id: identifier.optional() });
const path = "/channels/:id";
const aliases = ["/servers/:server_id/channels/:id"];
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
        may: inServer(),
        success: ok(z.array(Channel)),
      },
      async ({ may }) => channels.list(await may.access()),
    ),
    route(
      {
        method: "post",
        path: "/servers/:server_id/channels",
        name: "channels.create",
        summary: "Create a channel",
        caller: "account",
        causes: ["CHANNEL_CREATE", "AUDIT_LOG_ENTRY_CREATE"],
        params: serverParams,
        may: inServer(manageChannels),
        body: createChannelBody,
        success: created(Channel),
        errors: { invalid_input: [...inputErrors, capText(caps.channels)] },
      },
      ({ may, body }) => channels.create(may, body),
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
        may: inChannel(viewing),
        success: ok(Channel),
      },
      async ({ may }) => toChannel((await may.access()).channel),
    ),
    route(
      {
        method: "patch",
        path,
        aliases,
        name: "channels.update",
        summary: "Update a channel",
        caller: "account",
        causes: ["CHANNEL_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params: channelParams,
        may: inChannel(manageChannels),
        body: updateChannelBody,
        success: ok(Channel),
        errors: {
          invalid_input: [
            ...inputErrors,
            errorTexts.position_invalid,
            errorTexts.user_limit_range,
            errorTexts.not_voice_channel,
            errorTexts.slow_mode_seconds_range,
            errorTexts.channel_type_fixed,
          ],
        },
      },
      ({ may, body }) => channels.update(may, body),
    ),
    route(
      {
        method: "delete",
        path,
        aliases,
        name: "channels.delete",
        summary: "Delete a channel",
        caller: "account",
        causes: ["CHANNEL_DELETE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params: channelParams,
        may: inChannel(manageChannels),
        success: noContent(),
      },
      ({ may }) => channels.delete(may),
    ),
  ];
}
