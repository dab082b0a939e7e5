import { DetailedMessage, SentMessage } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../../access/channel-access.js";
import { accessErrors } from "../../access/error-texts.js";
import { fileRefusals, needAttachFiles } from "../../files/file-refusals.js";
import { messageForm, withFiles } from "../../files/message-form.js";
import { identifier } from "../../http/input.js";
import { created, ok, parse, type Route, route } from "../../http/route.js";
import { nonceMessage } from "../../nonces/schema.js";
import { answerSent, repeated } from "../../nonces/sent.js";
import { messageErrors, sendForbidden } from "../messages/error-texts.js";
import type { SendMessage } from "../messages/send.js";
import type { SendForm } from "../messages/send-form.js";
import { createReplyBody, replyFormPayload, threadQuery } from "./schema.js";
import type { ThreadService } from "./service.js";

const params = z.object({ channel_id: identifier, message_id: identifier });
const path = "/channels/:channel_id/messages/:message_id/thread";
const notFound = [accessErrors.channelNotFound, messageErrors.notFound];

export function threadRoutes(threads: ThreadService, send: SendMessage, sendForm: SendForm): Route[] {
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
        success: ok(z.array(DetailedMessage)),
        errors: {
          invalid_input: ["limit must be an integer", "Invalid after", "Invalid before", messageErrors.include],
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
        description: withFiles,
        caller: "account",
        params,
        body: createReplyBody,
        form: messageForm,
        success: created(SentMessage),
        otherAnswers: [repeated(SentMessage)],
        errors: {
          invalid_input: [messageErrors.content, nonceMessage, messageErrors.nestedThread, ...fileRefusals],
          not_found: notFound,
          forbidden: [...sendForbidden, needAttachFiles],
        },
      },
      async ({ identity, params, body, useStatus }) =>
        answerSent(
          await send({
            authorId: identity.userId,
            channelId: params.channel_id,
            content: body.content,
            threadId: params.message_id,
            nonce: body.nonce,
          }),
          useStatus,
        ),
      async ({ identity, params, request, useStatus }) => {
        const place = { authorId: identity.userId, channelId: params.channel_id, threadId: params.message_id };
        const read = (payload: unknown) => parse<typeof replyFormPayload>(replyFormPayload, payload);
        return answerSent(await sendForm(place, request, read), useStatus);
      },
    ),
  ];
}
