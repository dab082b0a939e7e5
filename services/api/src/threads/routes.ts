import { Message } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../access/channel-access.js";
import { identifier } from "../http/input.js";
import { created, ok, type Route, route } from "../http/route.js";
import { createReplyBody, threadQuery } from "./schema.js";
import type { ThreadService } from "./service.js";

const params = z.object({ channel_id: identifier, message_id: identifier });
const path = "/channels/:channel_id/messages/:message_id/thread";
const notFound = ["Channel not found", "Message not found"];

export function threadRoutes(threads: ThreadService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        tag: "threads",
        summary: "Read a thread, oldest reply first",
        caller: "account",
        params,
        query: threadQuery,
        success: ok(z.array(Message)),
        errors: {
          invalid_input: ["limit must be an integer", "Invalid after", "Invalid before"],
          not_found: notFound,
          forbidden: [cannotView],
        },
      },
      ({ identity, params, query }) => threads.list(identity.userId, params, query),
    ),
    route(
      {
        method: "post",
        path,
        tag: "threads",
        summary: "Reply in a thread",
        caller: "account",
        params,
        body: createReplyBody,
        success: created(Message),
        errors: {
          invalid_input: ["Message content must be 1-4000 characters", "Cannot create a thread from a thread reply"],
          not_found: notFound,
          forbidden: [
            cannotView,
            "You don't have permission to send messages in this channel",
            "User is timed out",
            "Message blocked by word filter",
            "Duplicate message blocked",
          ],
        },
      },
      ({ identity, params, body }) => threads.reply(identity.userId, params, body.content),
    ),
  ];
}
