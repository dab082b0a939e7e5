import { AnyDmChannel, caps, errorTexts, type GroupChannel, groupPeopleMax, SentDmMessage } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { messageForm, withFiles } from "../../platform/files/message-form.js";
import { fileRejections } from "../../platform/files/rejections.js";
import { uploadBytesMax } from "../../platform/files/upload-limits.js";
import { identifier } from "../../platform/http/input.js";
import { created, ok, type Route, route } from "../../platform/http/route.js";
import { answerSent, repeated } from "../../platform/nonces/sent.js";
import { planned } from "../planned/routes.js";
import { plannedRejections } from "../planned/schema.js";
import type { SendOrPlan } from "../planned/service.js";
import { channelPageMax, newChannelsPerDayMax } from "./limits.js";
import { channelsQuery, openChannelBody, sendBody } from "./schema.js";
import type { MaySendDirect } from "./send.js";
import type { DirectChannels } from "./service.js";

const params = z.object({ id: identifier });

export function directMessageRoutes(
  channels: DirectChannels,
  createGroup: (userId: string, others: readonly string[], name: string | null) => Promise<GroupChannel>,
  maySend: MaySendDirect,
  sendOrPlan: SendOrPlan,
): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/dm-channels",
        name: "directMessages.open",
        summary: "Open the channel with a user, or a group",
        description:
          `With \`user_id\` the channel of two, with \`user_ids\` a new group, which the caller owns. ` +
          `An account and its bots open at most ${newChannelsPerDayMax} new channels in 24 hours: 429 \`${errorTexts.too_many_conversations}\`.`,
        caller: "account",
        causes: ["DM_CHANNEL_CREATE"],
        body: openChannelBody,
        success: created(AnyDmChannel),
        otherAnswers: [ok(AnyDmChannel, "The channel exists already")],
        errors: {
          invalid_input: [
            errorTexts.dm_with_yourself,
            errorTexts.user_id_invalid,
            errorTexts.group_people_required,
            errorTexts.group_full(groupPeopleMax),
            errorTexts.group_name_length,
            capText(caps.groups),
          ],
          forbidden: [errorTexts.cannot_message_user],
          not_found: [errorTexts.user_not_found],
        },
      },
      async ({ identity, body, setStatus }) => {
        const { user_id, user_ids = [], name = null } = body;
        if (user_id === undefined) return createGroup(identity.userId, user_ids, name);
        const { channel, isNew } = await channels.open(identity.userId, user_id);
        if (!isNew) setStatus(200);
        return channel;
      },
    ),
    route(
      {
        method: "get",
        path: "/dm-channels",
        name: "directMessages.channels",
        summary: "List one's channels, the last used first",
        description:
          "The newest 200 by their last message, never-used ones at the end. Older ones follow with `before`: the " +
          "`last_message_at` of the last one, or its id when it was never used. Channels whose last messages have the same " +
          "time stay on one page, which may then be longer than `limit`. Groups are in it with `groups=true`.",
        caller: "account",
        query: channelsQuery,
        success: ok(z.array(AnyDmChannel)),
        errors: {
          invalid_input: [
            errorTexts.limit_range(channelPageMax),
            errorTexts.before_invalid,
            errorTexts.groups_not_boolean,
          ],
        },
      },
      ({ identity, query }) => channels.list(identity.userId, query),
    ),
    route(
      {
        method: "post",
        path: "/dm-channels/:id/messages",
        name: "directMessages.send",
        summary: "Send a direct message",
        description: withFiles,
        caller: "account",
        causes: ["DM_MESSAGE_CREATE", "SCHEDULED_MESSAGE_UPDATE"],
        params,
        may: maySend,
        body: sendBody,
        form: messageForm,
        bodyBytes: { "multipart/form-data": uploadBytesMax },
        success: created(SentDmMessage),
        otherAnswers: [repeated(SentDmMessage), planned],
        errors: {
          invalid_input: [
            errorTexts.message_content_length,
            errorTexts.reply_to_invalid,
            errorTexts.nonce_length,
            ...fileRejections,
            ...plannedRejections,
            capText(caps.scheduledMessages),
          ],
          forbidden: [errorTexts.cannot_message_user],
          not_found: [errorTexts.reply_target_not_found],
        },
      },
      ({ may, identity, params, body, setStatus }) => {
        const { content, reply_to: replyTo = null, nonce = null, send_at: sendAt } = body;
        const draft = { content, replyTo, nonce };
        return sendOrPlan(
          { kind: "direct", userId: identity.userId, channelId: params.id, threadId: null, ...draft, sendAt },
          { check: may.check, send: async () => answerSent(await may.send(draft), setStatus) },
        );
      },
      async ({ may, request, setStatus }) => answerSent(await may.sendForm(request), setStatus),
    ),
  ];
}
