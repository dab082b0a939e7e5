import { Message, Poll } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../access/channel-access.js";
import { identifier } from "../http/input.js";
import { created, ok, type Route, route } from "../http/route.js";
import { createPollBody, voteBody } from "./schema.js";
import type { PollService } from "./service.js";

const params = z.object({ poll_id: identifier });
const notFound = ["Poll not found"];

export function pollRoutes(polls: PollService): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/polls",
        tag: "polls",
        summary: "Send a message with a poll",
        caller: "account",
        params: z.object({ channel_id: identifier }),
        body: createPollBody,
        success: created(Message),
        errors: {
          invalid_input: [
            "Question must be 1-500 characters",
            "Polls require 2 to 10 options",
            "Each option must be 1-200 characters",
          ],
          not_found: ["Channel not found"],
          forbidden: [
            cannotView,
            "You don't have permission to send messages in this channel",
            "User is timed out",
            "Message blocked by word filter",
            "Duplicate message blocked",
          ],
        },
      },
      ({ identity, params, body }) => polls.create(identity.userId, params.channel_id, body),
    ),
    route(
      {
        method: "get",
        path: "/polls/:poll_id",
        tag: "polls",
        summary: "Get a poll with the caller's vote",
        caller: "account",
        params,
        success: ok(Poll),
        errors: { not_found: notFound, forbidden: [cannotView] },
      },
      ({ identity, params }) => polls.get(identity.userId, params.poll_id),
    ),
    route(
      {
        method: "post",
        path: "/polls/:poll_id/vote",
        tag: "polls",
        summary: "Vote, or change one's vote",
        caller: "account",
        params,
        body: voteBody,
        success: ok(Poll),
        errors: { invalid_input: ["Invalid option_id"], not_found: notFound, forbidden: [cannotView] },
      },
      ({ identity, params, body }) => polls.vote(identity.userId, params.poll_id, body.option_id),
    ),
  ];
}
