import { errorTexts, GoLiveSession } from "@parley/contracts";
import { z } from "zod";
import { inChannel } from "../../access/may.js";
import { viewing } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { startGoLiveBody } from "./schema.js";
import type { GoLiveService } from "./service.js";

const path = "/channels/:channel_id/go-live";
const params = z.object({ channel_id: identifier });
const may = inChannel(viewing);
const not_found = [errorTexts.go_live_not_found];

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
        may,
        success: ok(GoLiveSession),
        errors: { not_found },
      },
      async ({ may }) => goLive.get(await may.access()),
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
        may,
        body: startGoLiveBody,
        success: created(GoLiveSession),
        errors: {
          invalid_input: [
            errorTexts.go_live_quality_invalid,
            errorTexts.not_voice_channel,
            errorTexts.go_live_not_in_channel,
            errorTexts.go_live_taken,
          ],
        },
      },
      async ({ may, body }) => goLive.start(await may.access(), body),
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
        may,
        success: noContent(),
        errors: { not_found, forbidden: [errorTexts.go_live_not_broadcaster] },
      },
      async ({ may }) => goLive.stop(await may.access()),
    ),
  ];
}
