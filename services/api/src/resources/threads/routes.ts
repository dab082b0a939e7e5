import { DetailedMessage, errorTexts, SentMessage } from "@parley/contracts";
import { z } from "zod";
import { fileRefusals } from "../../files/file-refusals.js";
import { messageForm, withFiles } from "../../files/message-form.js";
import { identifier } from "../../http/input.js";
import { created, ok, parse, type Route, route } from "../../http/route.js";
import { answerSent, repeated } from "../../nonces/sent.js";
import type { SendMessage } from "../messages/send.js";
import type { SendForm } from "../messages/send-form.js";
import { sendForbidden } from "../messages/send-refusals.js";
import { createReplyBody, replyFormPayload, threadQuery } from "./schema.js";
import type { ThreadService } from "./service.js";

const params = z.object({ channel_id: identifier, message_id: identifier });
const path = "/channels/:channel_id/messages/:message_id/thread";
const notFound = [errorTexts.channel_not_found, errorTexts.message_not_found];

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
          invalid_input: [
            errorTexts.limit_not_integer,
            errorTexts.after_invalid,
            errorTexts.before_invalid,
            errorTexts.include_invalid,
          ],
          not_found: notFound,
          forbidden: [errorTexts.view_channel_required],
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
          invalid_input: [
            errorTexts.message_content_length,
            errorTexts.nonce_length,
            errorTexts.nested_thread,
            ...fileRefusals,
          ],
          not_found: notFound,
          forbidden: [...sendForbidden, errorTexts.attach_files_required],
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
