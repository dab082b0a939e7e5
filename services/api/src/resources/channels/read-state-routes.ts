import { z } from "zod";
import { cannotView } from "../../access/channel-access.js";
import { accessErrors } from "../../access/error-texts.js";
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
        errors: { not_found: [accessErrors.channelNotFound], forbidden: [cannotView] },
      },
      ({ identity, params }) => readState.acknowledge(identity.userId, params.channel_id),
    ),
  ];
}
