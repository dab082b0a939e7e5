import { errorTexts, GoLiveSession } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { startGoLiveBody } from "./schema.js";
import type { GoLiveService } from "./service.js";

const path = "/channels/:channel_id/go-live";
const params = z.object({ channel_id: identifier });
const notFound = [errorTexts.channel_not_found, errorTexts.go_live_not_found];

export function goLiveRoutes(goLive: GoLiveService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "goLive.get",
        summary: "Get the broadcast of a voice channel",
        caller: "account",
        params,
        success: ok(GoLiveSession),
        errors: { not_found: notFound, forbidden: [errorTexts.view_channel_required] },
      },
      ({ identity, params }) => goLive.get(identity.userId, params.channel_id),
    ),
    route(
      {
        method: "post",
        path,
        name: "goLive.start",
        summary: "Start or renew the caller's broadcast",
        caller: "account",
        causes: ["GO_LIVE_START"],
        params,
        body: startGoLiveBody,
        success: created(GoLiveSession),
        errors: {
          invalid_input: [
            errorTexts.go_live_quality_invalid,
            errorTexts.not_voice_channel,
            errorTexts.go_live_not_in_channel,
            errorTexts.go_live_taken,
          ],
          not_found: [errorTexts.channel_not_found],
          forbidden: [errorTexts.view_channel_required],
        },
      },
      ({ identity, params, body }) => goLive.start(identity.userId, params.channel_id, body),
    ),
    route(
      {
        method: "delete",
        path,
        name: "goLive.stop",
        summary: "End the caller's broadcast",
        caller: "account",
        causes: ["GO_LIVE_STOP"],
        params,
        success: noContent(),
        errors: {
          not_found: notFound,
          forbidden: [errorTexts.view_channel_required, errorTexts.go_live_not_broadcaster],
        },
      },
      ({ identity, params }) => goLive.stop(identity.userId, params.channel_id),
    ),
  ];
}
