import { DmMessage, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { channelHistoryQuery, historyRejections, includeQuery } from "../messages/schema.js";
import type { DirectMessages } from "./message-service.js";
import { updateDirectBody } from "./schema.js";

const params = z.object({ id: identifier });
const path = "/dm-messages/:id";
const listPath = "/dm-channels/:id/messages";

/** Routes of direct messages that were sent. */
export function sentDirectMessageRoutes(messages: DirectMessages): Route[] {
  return [
    route(
      {
        method: "get",
        path: listPath,
        name: "directMessages.list",
        summary: "Read a channel's history, newest first",
        caller: "account",
        params,
        query: channelHistoryQuery,
        success: ok(z.array(DmMessage)),
        errors: {
          invalid_input: historyRejections,
          not_found: [errorTexts.dm_channel_not_found],
        },
      },
      ({ identity, params, query }) => messages.list(identity.userId, params.id, query),
    ),
    route(
      {
        method: "get",
        path: `${listPath}/:message_id`,
        name: "directMessages.get",
        summary: "Get a direct message",
        caller: "account",
        params: params.extend({ message_id: identifier }),
        query: includeQuery,
        success: ok(DmMessage),
        errors: {
          invalid_input: [errorTexts.include_invalid],
          not_found: [errorTexts.dm_channel_not_found, errorTexts.message_not_found],
        },
      },
      ({ identity, params, query }) => messages.get(identity.userId, params, query.include),
    ),
    route(
      {
        method: "patch",
        path,
        name: "directMessages.edit",
        summary: "Edit a direct message",
        caller: "account",
        causes: ["DM_MESSAGE_UPDATE"],
        params,
        body: updateDirectBody,
        success: ok(DmMessage),
        errors: {
          invalid_input: [errorTexts.message_content_length],
          not_found: [errorTexts.message_not_found],
          forbidden: [errorTexts.edit_author_only, errorTexts.cannot_message_user],
        },
      },
      ({ identity, params, body }) => messages.edit(identity.userId, params.id, body.content),
    ),
    route(
      {
        method: "delete",
        path,
        name: "directMessages.delete",
        summary: "Delete a direct message, for both",
        caller: "account",
        causes: ["DM_MESSAGE_DELETE"],
        params,
        success: noContent(),
        errors: { not_found: [errorTexts.message_not_found], forbidden: [errorTexts.delete_author_only] },
      },
      ({ identity, params }) => messages.delete(identity.userId, params.id),
    ),
  ];
}
