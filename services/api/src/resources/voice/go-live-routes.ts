import { GoLiveSession } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../../access/channel-access.js";
import { accessErrors } from "../../access/error-texts.js";
import { notVoiceChannel } from "../../access/voice-channel.js";
import { identifier } from "../../http/input.js";
import { created, noContent, ok, type Route, route } from "../../http/route.js";
import { goLiveErrors } from "./go-live-error-texts.js";
import { qualityMessage, startGoLiveBody } from "./go-live-schema.js";
import type { GoLiveService } from "./go-live-service.js";

const path = "/channels/:channel_id/go-live";
const params = z.object({ channel_id: identifier });
const notFound = [accessErrors.channelNotFound, goLiveErrors.noSession];

export function goLiveRoutes(goLive: GoLiveService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        tag: "go-live",
        summary: "Get the broadcast of a voice channel",
        caller: "account",
        params,
        success: ok(GoLiveSession),
        errors: { not_found: notFound, forbidden: [cannotView] },
      },
      ({ identity, params }) => goLive.get(identity.userId, params.channel_id),
    ),
    route(
      {
        method: "post",
        path,
        tag: "go-live",
        summary: "Start or renew the caller's broadcast",
        caller: "account",
        params,
        body: startGoLiveBody,
        success: created(GoLiveSession),
        errors: {
          invalid_input: [qualityMessage, notVoiceChannel, goLiveErrors.notInChannel, goLiveErrors.taken],
          not_found: [accessErrors.channelNotFound],
          forbidden: [cannotView],
        },
      },
      ({ identity, params, body }) => goLive.start(identity.userId, params.channel_id, body),
    ),
    route(
      {
        method: "delete",
        path,
        tag: "go-live",
        summary: "End the caller's broadcast",
        caller: "account",
        params,
        success: noContent(),
        errors: {
          not_found: notFound,
          forbidden: [cannotView, goLiveErrors.notBroadcaster],
        },
      },
      ({ identity, params }) => goLive.stop(identity.userId, params.channel_id),
    ),
  ];
}
