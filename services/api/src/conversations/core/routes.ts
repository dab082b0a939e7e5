import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendText } from "../../platform/http/send-list.js";
import type { AnyMessageRow, Kind, MessageAccess } from "./kind.js";
import { toMessage } from "./may.js";
import { channelHistoryQuery, historyRejections, includeQuery } from "./schema.js";
import { createMessages, type MessageKind } from "./service.js";

const names = {
  channel: { list: "messages.list", get: "messages.get", edit: "messages.edit", delete: "messages.delete" },
  direct: {
    list: "directMessages.list",
    get: "directMessages.get",
    edit: "directMessages.edit",
    delete: "directMessages.delete",
  },
} as const;
const summaries = {
  channel: { get: "Get a message, also a deleted one", edit: "Edit a message", delete: "Delete a message" },
  direct: {
    get: "Get a direct message",
    edit: "Edit a direct message",
    delete: "Delete a direct message, for both",
  },
};

/** Routes of messages that were sent. */
export function messageRoutes<F extends MessageAccess, Row extends AnyMessageRow, Item, Answer, Changes>(
  kind: Kind<F>,
  own: MessageKind<F, Row, Item, Answer, Changes>,
  options: Parameters<typeof createMessages>[2],
): Route[] {
  const messages = createMessages(kind, own, options);
  const { channel, deleting } = kind;
  const { history, editing } = own;
  const { path, aliases = [], params } = kind.paths.messages;
  const name = names[kind.name];
  const summary = summaries[kind.name];
  const listPath = `${channel.path}/messages`;
  // Typed as Success, because the body is written as text.
  const page: Success = ok(z.array(own.listed));
  return [
    route(
      {
        method: "get",
        path: listPath,
        name: name.list,
        summary: "Read a channel's history, newest first",
        caller: "account",
        confirmsSession: history.confirmsSession,
        params: channel.params,
        may: history.may,
        query: channelHistoryQuery,
        success: page,
        errors: { invalid_input: historyRejections },
      },
      async ({ may, query, response }) => sendText(response, await may(query)),
    ),
    route(
      {
        method: "get",
        path: `${listPath}/:message_id`,
        name: name.get,
        summary: summary.get,
        caller: "account",
        params: channel.params.extend({ message_id: identifier }),
        may: channel.may,
        query: includeQuery,
        success: ok(own.listed),
        errors: { invalid_input: [errorTexts.include_invalid], not_found: [errorTexts.message_not_found] },
      },
      async ({ may, params: { message_id = "" }, query }) =>
        messages.get(await may.access(), message_id, query.include),
    ),
    route(
      {
        method: "patch",
        path,
        aliases,
        name: name.edit,
        summary: summary.edit,
        caller: "account",
        causes: editing.causes,
        params,
        may: editing.may,
        body: editing.body,
        describedBody: editing.describedBody,
        success: ok(editing.edited),
        errors: { invalid_input: editing.invalid, forbidden: editing.forbidden },
      },
      ({ may, identity, body }) => editing.edit(may, identity, body),
    ),
    route(
      {
        method: "delete",
        path,
        aliases,
        name: name.delete,
        summary: summary.delete,
        caller: "account",
        causes: deleting.causes,
        params,
        may: toMessage(kind, kind.paths.messages, { needs: [deleting.need] }),
        success: noContent(),
      },
      ({ may }) => messages.delete(may),
    ),
  ];
}
