import type { DetailedMessage, InboxItem, InboxUnread } from "@parley/client";
import type { FakeServer } from "./fake-server.js";
import { madeAt, newId, type Person } from "./fixtures.js";

/** An unread mention of the user, unless the changes say otherwise. */
export const inboxItem = (
  by: Person,
  message: DetailedMessage | null,
  server_id: string | null,
  changes: Partial<InboxItem> = {},
): InboxItem => ({
  ...{ id: message?.id ?? newId(), kind: "mention", message, server_id, channel_id: message?.channel_id ?? null },
  by: { id: by.id, username: by.username, avatar_url: null },
  ...{ created_at: madeAt, read: false },
  ...changes,
});

/** The unread items of each kind that is counted. */
export const unreadOf = (items: readonly InboxItem[]): InboxUnread => {
  const of = (kind: InboxItem["kind"]) => items.filter((item) => item.kind === kind && !item.read).length;
  return { mention: of("mention"), reply: of("reply"), thread: of("thread") };
};

/** Answers with the items that there are at the moment, newest first. */
export function answerInbox(server: FakeServer, items: () => readonly InboxItem[]): void {
  server.on("GET /users/@me/inbox", ({ query }) => {
    const kinds = query.get("kinds")?.split(",");
    const wanted = items().filter(({ kind }) => kinds?.includes(kind) ?? true);
    const before = query.get("before");
    const rest = before === null ? wanted : wanted.filter(({ id }) => id < before);
    return { items: rest.slice(0, Number(query.get("limit") ?? 50)), unread: unreadOf(items()) };
  });
}
