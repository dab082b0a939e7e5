import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, type Route, route } from "../../platform/http/route.js";
import { mayRemovePreviews, removeMessagePreviews } from "./service.js";

export function previewRemovalRoutes(): Route[] {
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
        may: mayRemovePreviews,
        success: noContent("Removed, or there are none"),
      },
      ({ may }) => removeMessagePreviews(may),
    ),
  ];
}
