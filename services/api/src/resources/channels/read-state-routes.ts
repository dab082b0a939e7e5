import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../http/input.js";
import { noContent, type Route, route } from "../../http/route.js";
import type { ReadStateService } from "./read-state-service.js";

export function readStateRoutes(readState: ReadStateService): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/ack",
        tag: "read state",
        summary: "Mark a channel as read",
        caller: "account",
        params: z.object({ channel_id: identifier }),
        success: noContent(),
        errors: { not_found: [errorTexts.channel_not_found], forbidden: [errorTexts.view_channel_required] },
      },
      ({ identity, params }) => readState.acknowledge(identity.userId, params.channel_id),
    ),
  ];
}
