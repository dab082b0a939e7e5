import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendText } from "../../platform/http/send-list.js";
import type { AnyMessageRow, Found, Kind } from "./kind.js";
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
export function messageRoutes<F extends Found, Row extends AnyMessageRow, Listed, Edited, Changes>(
  kind: Kind<F>,
  own: MessageKind<Row, Listed, Edited, Changes>,
  options: Parameters<typeof createMessages>[2],
): Route[] {
  const messages = createMessages(kind, own, options);
  const { channel, hidden, deleting } = kind;
  const { history, editing } = own;
  const { path, aliases = [], params, missing } = kind.paths.messages;
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
        query: channelHistoryQuery,
        success: page,
        errors: { invalid_input: historyRejections, not_found: [channel.missing], forbidden: hidden },
      },
      async ({ identity, state, params, query, response }) => {
        const reader = { userId: identity.userId, session: state.unconfirmed };
        sendText(response, await history.read(reader, params, query));
      },
    ),
    route(
      {
        method: "get",
        path: `${listPath}/:message_id`,
        name: name.get,
        summary: summary.get,
        caller: "account",
        params: channel.params.extend({ message_id: identifier }),
        query: includeQuery,
        success: ok(own.listed),
        errors: {
          invalid_input: [errorTexts.include_invalid],
          not_found: [channel.missing, errorTexts.message_not_found],
          forbidden: hidden,
        },
      },
      ({ identity, params, query }) => messages.get(identity.userId, params, query.include),
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
        body: editing.body,
        describedBody: editing.describedBody,
        success: ok(editing.edited),
        errors: {
          invalid_input: editing.invalid,
          not_found: missing,
          forbidden: [...hidden, errorTexts.edit_author_only, ...editing.forbidden],
        },
      },
      ({ identity, params, body }) => editing.edit(identity, params, body),
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
        success: noContent(),
        errors: { not_found: missing, forbidden: [...hidden, ...deleting.forbidden] },
      },
      ({ identity, params }) => messages.delete(identity.userId, params),
    ),
  ];
}
