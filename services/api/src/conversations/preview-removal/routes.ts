import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, type Route, route } from "../../platform/http/route.js";
import type { PreviewRemoval } from "./service.js";

export function previewRemovalRoutes(previews: PreviewRemoval): Route[] {
  return [
    route(
      {
        method: "delete",
        path: "/messages/:message_id/previews",
        name: "messages.removePreviews",
        summary: "Remove a message's link cards for good",
        caller: "account",
        causes: ["MESSAGE_PREVIEWS"],
        params: z.object({ message_id: identifier }),
        success: noContent("Removed, or there are none"),
        errors: {
          not_found: [errorTexts.message_not_found],
          forbidden: [errorTexts.view_channel_required, errorTexts.cannot_remove_previews],
        },
      },
      ({ identity, params }) => previews.remove(identity.userId, params.message_id),
    ),
  ];
}
