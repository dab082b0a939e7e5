import { Poll, SentMessage } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../access/channel-access.js";
import { accessErrors } from "../access/error-texts.js";
import { identifier } from "../http/input.js";
import { created, ok, type Route, route } from "../http/route.js";
import { sendForbidden } from "../messages/error-texts.js";
import type { SendMessage } from "../messages/send.js";
import { nonceMessage } from "../nonces/schema.js";
import { answerSent, repeated } from "../nonces/sent.js";
import { pollErrors } from "./error-texts.js";
import { createPollBody, voteBody } from "./schema.js";
import type { PollService } from "./service.js";

const params = z.object({ poll_id: identifier });
const notFound = [pollErrors.notFound];

export function pollRoutes(polls: PollService, send: SendMessage): Route[] {
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
        success: created(SentMessage),
        otherAnswers: [repeated(SentMessage)],
        errors: {
          invalid_input: [pollErrors.question, pollErrors.optionCount, pollErrors.optionText, nonceMessage],
          not_found: [accessErrors.channelNotFound],
          forbidden: sendForbidden,
        },
      },
      async ({ identity, params, body, useStatus }) =>
        answerSent(
          await send({
            authorId: identity.userId,
            channelId: params.channel_id,
            content: `📊 Poll: ${body.question}`,
            poll: body,
            nonce: body.nonce,
          }),
          useStatus,
        ),
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
        errors: { invalid_input: [pollErrors.optionId], not_found: notFound, forbidden: [cannotView] },
      },
      ({ identity, params, body }) => polls.vote(identity.userId, params.poll_id, body.option_id),
    ),
  ];
}
