import { errorTexts, VoiceState } from "@parley/contracts";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { updateVoiceBody } from "./schema.js";
import type { VoiceService } from "./service.js";

const path = "/channels/:channel_id/voice";
const params = z.object({ channel_id: identifier });
const notFound = [errorTexts.channel_not_found, errorTexts.not_in_voice_channel];

export function voiceRoutes(voice: VoiceService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "voice.list",
        summary: "List who is in a voice channel",
        caller: "account",
        params,
        success: ok(z.array(VoiceState)),
        errors: {
          invalid_input: [errorTexts.not_voice_channel],
          not_found: [errorTexts.channel_not_found],
          forbidden: [errorTexts.view_channel_required],
        },
      },
      ({ identity, params }) => voice.list(identity.userId, params.channel_id),
    ),
    route(
      {
        method: "post",
        path,
        name: "voice.join",
        summary: "Join a voice channel",
        caller: "account",
        causes: ["VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params,
        success: created(VoiceState),
        errors: {
          invalid_input: [errorTexts.not_voice_channel],
          not_found: [errorTexts.channel_not_found],
          forbidden: [errorTexts.view_channel_required, errorTexts.connect_required, ...writingErrors],
        },
      },
      ({ identity, params }) => voice.join(identity.userId, params.channel_id),
    ),
    route(
      {
        method: "patch",
        path,
        name: "voice.update",
        summary: "Change the caller's own voice flags",
        caller: "account",
        causes: ["VOICE_STATE_UPDATE"],
        params,
        body: updateVoiceBody,
        success: ok(VoiceState),
        errors: {
          invalid_input: [errorTexts.voice_flag_required],
          not_found: notFound,
          forbidden: [errorTexts.view_channel_required],
        },
      },
      ({ identity, params, body }) => voice.update(identity.userId, params.channel_id, body),
    ),
    route(
      {
        method: "delete",
        path,
        name: "voice.leave",
        summary: "Leave a voice channel",
        caller: "account",
        causes: ["VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params,
        success: noContent(),
        errors: { not_found: notFound, forbidden: [errorTexts.view_channel_required] },
      },
      ({ identity, params }) => voice.leave(identity.userId, params.channel_id),
    ),
  ];
}
