import type { IncomingMessage } from "node:http";
import type { Identity } from "@parley/auth";
import { caps, errorTexts, SentMessage } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { inChannel } from "../../access/may.js";
import { sending, viewing } from "../../access/needs.js";
import { messageForm, withFiles } from "../../platform/files/message-form.js";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { identifier } from "../../platform/http/input.js";
import type { May } from "../../platform/http/may.js";
import { created, parse, type Route, route } from "../../platform/http/route.js";
import { answerSent, repeated, type SendResult } from "../../platform/nonces/sent.js";
import { mentionCandidates } from "../../rules/mentions/mentions.js";
import { planned } from "../planned/routes.js";
import { plannedRejections } from "../planned/schema.js";
import type { SendOrPlan } from "../planned/service.js";
import { createPollBody } from "../polls/schema.js";
import type { MessageDraft } from "./draft.js";
import {
  appForbidden,
  appRejections,
  createMessageBody,
  describedMessageBody,
  type messageFields,
  messageFormPayload,
  sendForbidden,
  sendLimited,
} from "./schema.js";
import type { SendMessage } from "./send.js";
import type { RequireSendContext } from "./send-context.js";
import type { Place, SendForm } from "./send-form.js";

const params = z.object({ channel_id: identifier });

/** Sends as the caller to the channel that the path names, or to the thread. */
export interface Sender {
  /** @throws ServiceError by the part of {@link SendMessage} that asks for rights */
  check(): Promise<unknown>;
  send(draft: Omit<MessageDraft, keyof Place>): Promise<SendResult<SentMessage>>;
  sendForm(request: IncomingMessage, read: Parameters<SendForm>[2]): Promise<SendResult<SentMessage>>;
}

/** The right to send; the statement that reads the context of a message asks for it. */
export type MaySend = May<{ channel_id: string; message_id?: string | undefined }, Sender>;

/** Creates {@link MaySend}. */
export function createMaySend({
  send,
  sendForm,
  requireSendContext,
}: {
  send: SendMessage;
  sendForm: SendForm;
  requireSendContext: RequireSendContext;
}): MaySend {
  return {
    ...inChannel([viewing, sending]),
    ask(_stores, { userId: authorId, session, params: { channel_id: channelId, message_id: threadId } }) {
      const place = { authorId, session, channelId, threadId };
      return {
        check: () => requireSendContext(place, mentionCandidates("")),
        send: (draft) => send({ ...place, ...draft }),
        sendForm: (request, read) => sendForm(place, request, read),
      };
    },
  };
}

const draftOf = ({ reply_to: replyTo, ...body }: z.infer<typeof messageFields>, { kind }: Identity) => ({
  ...body,
  replyTo,
  mayEmbed: kind === "bot",
});

/** Routes that send messages to a channel: plain ones, and those with a poll. */
export function sendRoutes(may: MaySend, sendOrPlan: SendOrPlan): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/messages",
        name: "messages.send",
        summary: "Send a message",
        description: withFiles,
        caller: "account",
        confirmsSession: true,
        causes: ["MESSAGE_CREATE", "SCHEDULED_MESSAGE_UPDATE"],
        params,
        may,
        body: createMessageBody,
        describedBody: describedMessageBody,
        form: messageForm,
        bodyBytes: { "multipart/form-data": uploadBytesMax },
        success: created(SentMessage),
        otherAnswers: [repeated(SentMessage), planned],
        errors: {
          invalid_input: [
            errorTexts.message_content_length,
            errorTexts.reply_to_invalid,
            errorTexts.nonce_length,
            ...appRejections,
            ...fileRejections,
            ...plannedRejections,
            capText(caps.scheduledMessages),
          ],
          not_found: [errorTexts.reply_target_not_found],
          forbidden: [...sendForbidden, ...appForbidden, errorTexts.attach_files_required],
          rate_limited: sendLimited,
        },
      },
      ({ may, identity, params, body: { send_at: sendAt, ...body }, setStatus }) => {
        const { content, reply_to: replyTo = null, nonce = null } = body;
        const place = {
          kind: "channel",
          userId: identity.userId,
          channelId: params.channel_id,
          threadId: null,
        } as const;
        return sendOrPlan(
          { ...place, content, replyTo, nonce, sendAt },
          { check: may.check, send: async () => answerSent(await may.send(draftOf(body, identity)), setStatus) },
        );
      },
      async ({ may, identity, request, setStatus }) => {
        const sent = await may.sendForm(request, (payload, files) =>
          draftOf(parse<ReturnType<typeof messageFormPayload>>(messageFormPayload(files), payload), identity),
        );
        return answerSent(sent, setStatus);
      },
    ),
    route(
      {
        method: "post",
        path: "/channels/:channel_id/polls",
        name: "polls.send",
        summary: "Send a message with a poll",
        caller: "account",
        causes: ["MESSAGE_CREATE"],
        params,
        may,
        body: createPollBody,
        success: created(SentMessage),
        otherAnswers: [repeated(SentMessage)],
        errors: {
          invalid_input: [
            errorTexts.poll_question_length,
            errorTexts.poll_options_count,
            errorTexts.poll_option_length,
            errorTexts.nonce_length,
          ],
          forbidden: sendForbidden,
          rate_limited: sendLimited,
        },
      },
      async ({ may, body, setStatus }) => {
        const draft = { content: `📊 Poll: ${body.question}`, poll: body, nonce: body.nonce };
        return answerSent(await may.send(draft), setStatus);
      },
    ),
  ];
}
