import { errorTexts, VoiceState } from "@parley/contracts";
import { z } from "zod";
import { inChannel } from "../../access/may.js";
import { viewing } from "../../access/needs.js";
import { writingErrors } from "../../access/safety.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { updateVoiceBody } from "./schema.js";
import { connecting, type VoiceService } from "./service.js";

const path = "/channels/:channel_id/voice";
const params = z.object({ channel_id: identifier });
const may = inChannel(viewing);

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
        may,
        success: ok(z.array(VoiceState)),
        errors: { invalid_input: [errorTexts.not_voice_channel] },
      },
      async ({ may }) => voice.list(await may.access()),
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
        may: inChannel(connecting),
        success: created(VoiceState),
        errors: {
          invalid_input: [errorTexts.not_voice_channel],
          forbidden: [...writingErrors, errorTexts.voice_channel_full],
        },
      },
      ({ may }) => voice.join(may),
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
        may,
        body: updateVoiceBody,
        success: ok(VoiceState),
        errors: {
          invalid_input: [errorTexts.voice_flag_required],
          not_found: [errorTexts.not_in_voice_channel],
        },
      },
      async ({ may, body }) => voice.update(await may.access(), body),
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
        may,
        success: noContent(),
        errors: { not_found: [errorTexts.not_in_voice_channel] },
      },
      ({ may, identity, params }) => voice.leave(may, { userId: identity.userId, channelId: params.channel_id }),
    ),
  ];
}
