import { VoiceState } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../../access/channel-access.js";
import { accessErrors } from "../../access/error-texts.js";
import { notVoiceChannel } from "../../access/voice-channel.js";
import { identifier } from "../../http/input.js";
import { created, noContent, ok, type Route, route } from "../../http/route.js";
import { voiceErrors } from "./error-texts.js";
import { updateVoiceBody } from "./schema.js";
import type { VoiceService } from "./service.js";

const path = "/channels/:channel_id/voice";
const params = z.object({ channel_id: identifier });
const notFound = [accessErrors.channelNotFound, voiceErrors.notInChannel];

export function voiceRoutes(voice: VoiceService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        tag: "voice",
        summary: "List who is in a voice channel",
        caller: "account",
        params,
        success: ok(z.array(VoiceState)),
        errors: {
          invalid_input: [notVoiceChannel],
          not_found: [accessErrors.channelNotFound],
          forbidden: [cannotView],
        },
      },
      ({ identity, params }) => voice.list(identity.userId, params.channel_id),
    ),
    route(
      {
        method: "post",
        path,
        tag: "voice",
        summary: "Join a voice channel",
        caller: "account",
        params,
        success: created(VoiceState),
        errors: {
          invalid_input: [notVoiceChannel],
          not_found: [accessErrors.channelNotFound],
          forbidden: [cannotView, voiceErrors.cannotConnect],
        },
      },
      ({ identity, params }) => voice.join(identity.userId, params.channel_id),
    ),
    route(
      {
        method: "patch",
        path,
        tag: "voice",
        summary: "Change the caller's own voice flags",
        caller: "account",
        params,
        body: updateVoiceBody,
        success: ok(VoiceState),
        errors: {
          invalid_input: ["At least one of self_mute, self_deaf, self_video, self_screen must be provided"],
          not_found: notFound,
          forbidden: [cannotView],
        },
      },
      ({ identity, params, body }) => voice.update(identity.userId, params.channel_id, body),
    ),
    route(
      {
        method: "delete",
        path,
        tag: "voice",
        summary: "Leave a voice channel",
        caller: "account",
        params,
        success: noContent(),
        errors: { not_found: notFound, forbidden: [cannotView] },
      },
      ({ identity, params }) => voice.leave(identity.userId, params.channel_id),
    ),
  ];
}
