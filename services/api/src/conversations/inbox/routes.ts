import { errorTexts, InboxPage } from "@parley/contracts";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { inboxAck, inboxQuery } from "./schema.js";
import type { Inbox } from "./service.js";

const path = "/users/@me/inbox";

export function inboxRoutes(inbox: Inbox): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "inbox.list",
        summary: "List what concerns one, newest first",
        description:
          "Of all servers and conversations, what the caller may see now. A mention, a reply and a reply in a thread have " +
          "one item together, of the first of these kinds. `before` is the id of an item. Kept for 90 days, at most 10,000 " +
          "items.",
        caller: "account",
        query: inboxQuery,
        success: ok(InboxPage),
        errors: { invalid_input: [errorTexts.kinds_invalid, errorTexts.limit_not_integer, errorTexts.before_invalid] },
      },
      ({ identity, query }) => inbox.list(identity.userId, query),
    ),
    route(
      {
        method: "post",
        path: `${path}/ack`,
        name: "inbox.markRead",
        summary: "Mark the inbox as read",
        description: "Up to the item `before`, that one included, or all of it. No mark of a channel moves.",
        caller: "account",
        causes: ["INBOX_UPDATE"],
        body: inboxAck,
        success: noContent(),
        errors: { invalid_input: [errorTexts.before_invalid] },
      },
      ({ identity, body }) => inbox.markRead(identity.userId, body.before),
    ),
  ];
}
