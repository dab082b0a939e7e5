import { type AnyMessage, createEvent, type InboxItem, type InboxPage, type InboxUnread } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockExistingAccount } from "../../access/repository.js";
import { followWithin } from "../../notices/notifications/follow-thread.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import type { FindAnyMessages } from "../any-message/find.js";
import { whichAreReadable } from "../any-message/repository.js";
import {
  changedInboxes,
  countUnread,
  findChangedInboxes,
  findItems,
  type ItemRow,
  markInbox,
  noteAnnounced,
  takeChanges,
  trimInbox,
} from "./repository.js";
import type { InboxQuery } from "./schema.js";

/** After every item. */
const end = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The unread items that an account may see now. */
async function countReadable(connection: Queryable, userId: string): Promise<InboxUnread> {
  const counts = await countUnread(connection, userId);
  const channelIds = counts.map(({ channel_id }) => channel_id);
  const readable = await whichAreReadable(connection, channelIds, userId);
  const unread = { mention: 0, reply: 0, thread: 0 };
  for (const { channel_id, mention, reply, thread } of counts) {
    if (!readable.has(channel_id)) continue;
    unread.mention += mention;
    unread.reply += reply;
    unread.thread += thread;
  }
  return unread;
}

async function announce(transaction: Transaction, emit: Emit, userId: string): Promise<void> {
  const unread = await countReadable(transaction, userId);
  await noteAnnounced(transaction, userId, unread.mention + unread.reply + unread.thread);
  emit(createEvent("INBOX_UPDATE", { user_id: userId }, { unread }));
}

export function createInbox(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  findMessages: FindAnyMessages;
}) {
  const { database, outbox, findMessages } = options;
  /** Only an invitation has no message; a reminder stays when its message is out of sight. */
  const withMessages = async (rows: readonly ItemRow[], userId: string): Promise<InboxItem[]> => {
    const ids = rows.flatMap(({ message_id }) => message_id ?? []);
    const messages = ids.length === 0 ? new Map<string, AnyMessage>() : await findMessages(ids, userId);
    return rows.flatMap(({ message_id, created_at, reminder, ...row }): InboxItem[] => {
      const message = message_id === null ? null : messages.get(message_id);
      const item = { ...row, created_at: created_at.toISOString() };
      if (reminder === null) return message === undefined ? [] : [{ ...item, message }];
      const place = message == null ? {} : { server_id: serverOf(message), channel_id: message.channel_id };
      return [{ ...item, ...place, message: message ?? null, reminder }];
    });
  };

  return {
    /** A page of what the caller may see now, newest first. */
    async list(userId: string, { kinds, before, limit }: InboxQuery): Promise<InboxPage> {
      const items: InboxItem[] = [];
      const hidden = new Set<string>();
      let next: string | undefined = before ?? end;
      while (next !== undefined && items.length < limit) {
        const rows: ItemRow[] = await findItems(database, userId, { before: next, kinds, hidden, limit });
        const channelIds = rows.flatMap(({ channel_id }) => channel_id ?? []);
        const readable = await whichAreReadable(database, channelIds, userId);
        for (const id of channelIds) if (!readable.has(id)) hidden.add(id);
        const visible = rows.filter(({ channel_id }) => channel_id === null || readable.has(channel_id));
        items.push(...(await withMessages(visible, userId)));
        next = rows.length < limit ? undefined : rows.at(-1)?.id;
      }
      return { items: items.slice(0, limit), unread: await countReadable(database, userId) };
    },

    /** Marks items up to one, or all of them, as read. */
    markRead(userId: string, before: string | undefined): Promise<void> {
      return outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        if (await markInbox(transaction, userId, before ?? end)) await announce(transaction, emit, userId);
      });
    },
  };
}

const serverOf = (message: AnyMessage) => ("server_id" in message ? (message.server_id ?? null) : null);

export type Inbox = ReturnType<typeof createInbox>;

/** Announces inboxes that have changed, each once for all changes that wait, and deletes what is too much in them. */
export function announceInboxes({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  const announceChanged = (userId: string) =>
    outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
      const changes = await takeChanges(transaction, userId);
      if (changes.length === 0) return;
      const followed = changes.flatMap(({ root_id: rootId, since }) => (rootId === null ? [] : { rootId, since }));
      if (followed.length > 0 && (await lockExistingAccount(transaction, userId)))
        for (const thread of followed) await followWithin(transaction, emit, { userId, ...thread });
      await trimInbox(transaction, userId);
      await announce(transaction, emit, userId);
    });
  return {
    name: "inboxes",
    causes: ["INBOX_UPDATE", "NOTIFICATIONS_UPDATE"],
    when: { due: changedInboxes },
    sizeMax: 100,
    async batch({ size, resting }) {
      const changed = await findChangedInboxes(database, size, resting.keys());
      await resting.each(changed, (userId) => userId, announceChanged);
      return untilNone(changed.length);
    },
  };
}
