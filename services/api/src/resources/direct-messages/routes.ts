import { DmChannel, DmMessage, SentDmMessage } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../http/input.js";
import { boundedLimitMessage, limitMessage } from "../../http/page-limit.js";
import { created, noContent, ok, type Route, route } from "../../http/route.js";
import { nonceMessage } from "../../nonces/schema.js";
import { answerSent, repeated } from "../../nonces/sent.js";
import { historyQuery } from "../messages/schema.js";
import { userErrors } from "../users/error-texts.js";
import { directMessageErrors } from "./error-texts.js";
import { channelPageMax, newChannelsPerDayMax } from "./limits.js";
import { channelsQuery, openChannelBody, sendBody } from "./schema.js";
import { type DirectMessageService, tooManyConversations } from "./service.js";

const params = z.object({ id: identifier });
const tag = "direct messages";
const notFound = [directMessageErrors.channelNotFound];

export function directMessageRoutes(directMessages: DirectMessageService): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/dm-channels",
        tag,
        summary: "Open the channel with a user",
        description: `An account and its bots open at most ${newChannelsPerDayMax} new channels in 24 hours: 429 \`${tooManyConversations}\`.`,
        caller: "account",
        body: openChannelBody,
        success: created(DmChannel),
        otherAnswers: [ok(DmChannel, "The channel exists already")],
        errors: {
          invalid_input: [directMessageErrors.withYourself, directMessageErrors.userId],
          not_found: [userErrors.notFound],
        },
      },
      async ({ identity, body, useStatus }) => {
        const { channel, isNew } = await directMessages.open(identity.userId, body.user_id);
        if (!isNew) useStatus(200);
        return channel;
      },
    ),
    route(
      {
        method: "get",
        path: "/dm-channels",
        tag,
        summary: "List one's channels, the last used first",
        description:
          "The newest 200 by their last message, never-used ones at the end. Older ones follow with `before`: the " +
          "`last_message_at` of the last one, or its id when it was never used. Channels whose last messages have the same " +
          "time stay on one page, which may then be longer than `limit`.",
        caller: "account",
        query: channelsQuery,
        success: ok(z.array(DmChannel)),
        errors: { invalid_input: [boundedLimitMessage(channelPageMax), directMessageErrors.before] },
      },
      ({ identity, query }) => directMessages.listChannels(identity.userId, query),
    ),
    route(
      {
        method: "get",
        path: "/dm-channels/:id/messages",
        tag,
        summary: "Read a channel's history, newest first",
        caller: "account",
        params,
        query: historyQuery,
        success: ok(z.array(DmMessage)),
        errors: { invalid_input: [limitMessage, directMessageErrors.before], not_found: notFound },
      },
      ({ identity, params, query }) => directMessages.listMessages(identity.userId, params.id, query),
    ),
    route(
      {
        method: "post",
        path: "/dm-channels/:id/messages",
        tag,
        summary: "Send a direct message",
        caller: "account",
        params,
        body: sendBody,
        success: created(SentDmMessage),
        otherAnswers: [repeated(SentDmMessage)],
        errors: { invalid_input: ["Message content must be 1-4000 characters", nonceMessage], not_found: notFound },
      },
      async ({ identity, params, body, useStatus }) =>
        answerSent(await directMessages.send(identity.userId, params.id, body), useStatus),
    ),
    route(
      {
        method: "post",
        path: "/dm-channels/:id/ack",
        tag,
        summary: "Mark a channel as read",
        caller: "account",
        params,
        success: noContent(),
        errors: { not_found: notFound },
      },
      ({ identity, params }) => directMessages.acknowledge(identity.userId, params.id),
    ),
  ];
}
