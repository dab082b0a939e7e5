import { Message } from "@parley/contracts";
import { z } from "zod";
import { cannotView } from "../access/channel-access.js";
import { identifier } from "../http/input.js";
import { created, noContent, ok, type Route, route } from "../http/route.js";
import { createMessageBody, historyQuery, updateMessageBody } from "./schema.js";
import type { MessageService } from "./service.js";

const channelParams = z.object({ channel_id: identifier });
const messageParams = z.object({ id: identifier, channel_id: identifier.optional() });
const path = "/messages/:id";
const aliases = ["/channels/:channel_id/messages/:id"];
const contentError = "Message content must be 1-4000 characters";
const messageNotFound = ["Message not found"];

export function messageRoutes(messages: MessageService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/channels/:channel_id/messages",
        tag: "messages",
        summary: "Read a channel's history, newest first",
        caller: "account",
        params: channelParams,
        query: historyQuery,
        success: ok(z.array(Message)),
        errors: {
          invalid_input: ["limit must be an integer", "Invalid before"],
          not_found: ["Channel not found"],
          forbidden: [cannotView],
        },
      },
      ({ identity, params, query }) => messages.list(identity.userId, params.channel_id, query),
    ),
    route(
      {
        method: "get",
        path: "/channels/:channel_id/messages/:message_id",
        tag: "messages",
        summary: "Get a message, also a deleted one",
        caller: "account",
        params: channelParams.extend({ message_id: identifier }),
        success: ok(Message),
        errors: { not_found: ["Channel not found", "Message not found"], forbidden: [cannotView] },
      },
      ({ identity, params }) => messages.get(identity.userId, params.channel_id, params.message_id),
    ),
    route(
      {
        method: "post",
        path: "/channels/:channel_id/messages",
        tag: "messages",
        summary: "Send a message",
        caller: "account",
        params: channelParams,
        body: createMessageBody,
        success: created(Message),
        errors: {
          invalid_input: [contentError, "Invalid reply_to"],
          not_found: ["Channel not found", "Reply target message not found"],
          forbidden: [
            cannotView,
            "You don't have permission to send messages in this channel",
            "User is timed out",
            "Message blocked by word filter",
            "Duplicate message blocked",
          ],
        },
      },
      ({ identity, params, body }) => messages.create(identity.userId, params.channel_id, body),
    ),
    route(
      {
        method: "patch",
        path,
        aliases,
        tag: "messages",
        summary: "Edit a message",
        caller: "account",
        params: messageParams,
        body: updateMessageBody,
        success: ok(Message),
        errors: {
          invalid_input: [contentError],
          not_found: messageNotFound,
          forbidden: [
            cannotView,
            "Only the message author can edit it",
            "User is timed out",
            "Message blocked by word filter",
          ],
        },
      },
      ({ identity, params, body }) => messages.edit(identity.userId, params, body.content),
    ),
    route(
      {
        method: "delete",
        path,
        aliases,
        tag: "messages",
        summary: "Delete a message",
        caller: "account",
        params: messageParams,
        success: noContent(),
        errors: { not_found: messageNotFound, forbidden: [cannotView, "You cannot delete this message"] },
      },
      ({ identity, params }) => messages.delete(identity.userId, params),
    ),
  ];
}
