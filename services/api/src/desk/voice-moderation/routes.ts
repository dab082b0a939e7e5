import { errorTexts, VoiceState } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { moderateVoiceBody } from "./schema.js";
import type { ModerateMember } from "./service.js";

export function voiceModerationRoutes(moderate: ModerateMember): Route[] {
  return [
    route(
      {
        method: "patch",
        path: "/servers/:id/members/:user_id/voice",
        name: "voice.moderate",
        summary: "Mute, deafen, move or disconnect a member in voice",
        description: "MUTE_MEMBERS for the first two, KICK_MEMBERS for the others.",
        caller: "account",
        causes: ["VOICE_MOVE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params: z.object({ id: identifier, user_id: identifier }),
        may: inServer(),
        body: moderateVoiceBody,
        success: ok(VoiceState),
        errors: {
          invalid_input: [
            errorTexts.server_mute_not_boolean,
            errorTexts.server_deaf_not_boolean,
            errorTexts.channel_id_invalid,
            errorTexts.cannot_moderate_yourself,
            errorTexts.not_voice_channel,
          ],
          not_found: [errorTexts.member_not_found, errorTexts.channel_not_found, errorTexts.not_in_voice],
          forbidden: [
            errorTexts.cannot_moderate_owner,
            errorTexts.missing_permission,
            errorTexts.cannot_moderate_above,
            errorTexts.view_channel_required,
          ],
        },
      },
      ({ may, params, body }) => moderate(may, params.user_id, body),
    ),
  ];
}
