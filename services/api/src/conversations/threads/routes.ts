import type { Identity } from "@parley/auth";
import { caps, DetailedMessage, errorTexts, SentMessage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { located } from "../../access/may.js";
import type { FollowThread } from "../../notices/notifications/follow-thread.js";
import { messageForm, withFiles } from "../../platform/files/message-form.js";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { identifier } from "../../platform/http/input.js";
import { created, ok, parse, type Route, route } from "../../platform/http/route.js";
import { answerSent, repeated, type SendResult } from "../../platform/nonces/sent.js";
import type { MessageDetails } from "../messages/details.js";
import { channelMessage } from "../messages/require-message.js";
import { appForbidden, appRejections, sendForbidden, sendLimited } from "../messages/schema.js";
import type { MaySend } from "../messages/send-routes.js";
import { planned } from "../planned/routes.js";
import { plannedRejections } from "../planned/schema.js";
import type { SendOrPlan } from "../planned/service.js";
import { findReplies } from "./repository.js";
import { createReplyBody, describedReplyBody, replyFormPayload, threadQuery } from "./schema.js";

const params = z.object({ channel_id: identifier, message_id: identifier });
const path = "/channels/:channel_id/messages/:message_id/thread";

export function threadRoutes(options: {
  database: Database;
  details: MessageDetails;
  maySend: MaySend;
  follow: FollowThread;
  sendOrPlan: SendOrPlan;
}): Route[] {
  const { database, details, maySend, follow, sendOrPlan } = options;
  /** People follow the threads that they write in. */
  const followed = async ({ kind, userId }: Identity, rootId: string, sent: SendResult<SentMessage>) => {
    if (sent.isNew && kind === "user") await follow({ userId, rootId });
    return sent;
  };
  return [
    route(
      {
        method: "get",
        path,
        name: "threads.list",
        summary: "Read a thread, oldest reply first",
        caller: "account",
        params,
        may: located(channelMessage),
        query: threadQuery,
        success: ok(z.array(DetailedMessage)),
        errors: {
          invalid_input: [
            errorTexts.limit_not_integer,
            errorTexts.after_invalid,
            errorTexts.before_invalid,
            errorTexts.include_invalid,
          ],
        },
      },
      async ({ may, params, query: { after, before, limit, include } }) => {
        const { userId } = await may.access();
        const rows = await findReplies(database, { rootId: params.message_id, after: after ?? before, limit });
        return details(rows, { viewerId: userId, include });
      },
    ),
    route(
      {
        method: "post",
        path,
        name: "threads.reply",
        summary: "Reply in a thread",
        description: withFiles,
        caller: "account",
        causes: ["THREAD_MESSAGE_CREATE", "NOTIFICATIONS_UPDATE", "SCHEDULED_MESSAGE_UPDATE"],
        params,
        may: maySend,
        body: createReplyBody,
        describedBody: describedReplyBody,
        form: messageForm,
        bodyBytes: { "multipart/form-data": uploadBytesMax },
        success: created(SentMessage),
        otherAnswers: [repeated(SentMessage), planned],
        errors: {
          invalid_input: [
            errorTexts.message_content_length,
            errorTexts.nonce_length,
            errorTexts.nested_thread,
            ...appRejections,
            ...fileRejections,
            ...plannedRejections,
            capText(caps.scheduledMessages),
          ],
          not_found: [errorTexts.message_not_found],
          forbidden: [...sendForbidden, ...appForbidden, errorTexts.attach_files_required, errorTexts.thread_closed],
          rate_limited: sendLimited,
        },
      },
      ({ may, identity, params, body: { send_at: sendAt, ...body }, setStatus }) => {
        const { content, nonce = null } = body;
        const place = { channelId: params.channel_id, threadId: params.message_id, replyTo: null };
        return sendOrPlan(
          { kind: "channel", userId: identity.userId, ...place, content, nonce, sendAt },
          {
            check: may.check,
            async send() {
              const sent = await may.send({ ...body, mayEmbed: identity.kind === "bot" });
              return answerSent(await followed(identity, params.message_id, sent), setStatus);
            },
          },
        );
      },
      async ({ may, identity, params, request, setStatus }) => {
        const sent = await may.sendForm(request, (payload, files) => ({
          ...parse<ReturnType<typeof replyFormPayload>>(replyFormPayload(files), payload),
          mayEmbed: identity.kind === "bot",
        }));
        return answerSent(await followed(identity, params.message_id, sent), setStatus);
      },
    ),
  ];
}
