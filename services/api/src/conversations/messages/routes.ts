import { DetailedMessage, errorTexts, Message } from "@parley/contracts";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendText } from "../../platform/http/send-list.js";
import type { ReadHistory } from "./history.js";
import {
  appForbidden,
  appRejections,
  channelHistoryQuery,
  deleteMessagesBody,
  describedUpdateBody,
  historyRejections,
  includeQuery,
  updateMessageBody,
} from "./schema.js";
import type { MessageService } from "./service.js";

const channelParams = z.object({ channel_id: identifier });
const messageParams = z.object({ id: identifier, channel_id: identifier.optional() });
const path = "/messages/:id";
const aliases = ["/channels/:channel_id/messages/:id"];

// Typed as Success, because the body is written as text.
const history: Success = ok(z.array(DetailedMessage));

export function messageRoutes({
  messages,
  readHistory,
}: {
  messages: MessageService;
  readHistory: ReadHistory;
}): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/channels/:channel_id/messages",
        name: "messages.list",
        summary: "Read a channel's history, newest first",
        caller: "account",
        confirmsSession: true,
        params: channelParams,
        query: channelHistoryQuery,
        success: history,
        errors: {
          invalid_input: historyRejections,
          not_found: [errorTexts.channel_not_found],
          forbidden: [errorTexts.view_channel_required],
        },
      },
      async ({ identity, state, params, query, response }) => {
        const reader = { userId: identity.userId, session: state.unconfirmed };
        sendText(response, await readHistory(reader, params.channel_id, query));
      },
    ),
    route(
      {
        method: "get",
        path: "/channels/:channel_id/messages/:message_id",
        name: "messages.get",
        summary: "Get a message, also a deleted one",
        caller: "account",
        params: channelParams.extend({ message_id: identifier }),
        query: includeQuery,
        success: ok(DetailedMessage),
        errors: {
          invalid_input: [errorTexts.include_invalid],
          not_found: [errorTexts.channel_not_found, errorTexts.message_not_found],
          forbidden: [errorTexts.view_channel_required],
        },
      },
      ({ identity, params, query }) => messages.get(identity.userId, params, query.include),
    ),
    route(
      {
        method: "patch",
        path,
        aliases,
        name: "messages.edit",
        summary: "Edit a message",
        caller: "account",
        causes: ["MESSAGE_UPDATE", "MESSAGE_PREVIEWS"],
        params: messageParams,
        body: updateMessageBody,
        describedBody: describedUpdateBody,
        success: ok(Message),
        errors: {
          invalid_input: [errorTexts.message_content_length, ...appRejections],
          not_found: [errorTexts.message_not_found],
          forbidden: [
            errorTexts.view_channel_required,
            errorTexts.edit_author_only,
            ...appForbidden,
            errorTexts.timed_out,
            ...writingErrors,
            errorTexts.word_filtered,
            errorTexts.message_blocked_by_rule,
          ],
        },
      },
      ({ identity, params, body }) => messages.edit(identity, params, body),
    ),
    route(
      {
        method: "delete",
        path,
        aliases,
        name: "messages.delete",
        summary: "Delete a message",
        caller: "account",
        causes: ["MESSAGE_DELETE", "EVENT_DELETE"],
        params: messageParams,
        success: noContent(),
        errors: {
          not_found: [errorTexts.message_not_found],
          forbidden: [errorTexts.view_channel_required, errorTexts.cannot_delete_message],
        },
      },
      ({ identity, params }) => messages.delete(identity.userId, params),
    ),
    route(
      {
        method: "post",
        path: "/channels/:channel_id/messages/bulk-delete",
        name: "messages.deleteMany",
        summary: "Delete many messages of a channel",
        caller: "account",
        causes: ["MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "EVENT_DELETE"],
        params: channelParams,
        body: deleteMessagesBody,
        success: ok(z.object({ deleted: z.int() })),
        errors: {
          invalid_input: [errorTexts.message_ids_count],
          not_found: [errorTexts.channel_not_found],
          forbidden: [errorTexts.view_channel_required, errorTexts.missing_permission],
        },
      },
      async ({ identity, params, body }) => ({
        deleted: await messages.deleteMany(identity.userId, params.channel_id, body.message_ids),
      }),
    ),
  ];
}
