import type { FileUrls } from "@parley/auth";
import { createEvent, errorTexts, notFound, type Thread, type ThreadPage } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { type ChannelItem, type InChannel, located, type MemberAccess, requireChannel } from "../../access/may.js";
import { authorOrManager } from "../../access/needs.js";
import { findViewableChannels, lockExistingAccount } from "../../access/repository.js";
import { followWithin } from "../../notices/notifications/follow-thread.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { MessageDetails } from "../messages/details.js";
import { findMessage, findMessages, type MessageRow } from "../messages/repository.js";
import { toOneMessage } from "../messages/resource.js";
import {
  findFollowing,
  findReplyTime,
  findThread,
  findThreads,
  readThread,
  type ThreadRow,
  updateThread,
} from "./state-repository.js";
import type { ThreadsQuery, UpdateThread } from "./state-schema.js";

const root = {
  missing: [errorTexts.thread_not_found],
  /** @throws ServiceError 404 for a message that is missing, deleted, a reply itself, or without replies */
  async find(connection: Queryable, userId: string, { id }: { id: string }): Promise<ChannelItem<MessageRow>> {
    const row = await findMessage(connection, id);
    if (row === null || row.deleted || row.thread_reply_count === 0) throw notFound(errorTexts.thread_not_found);
    const access = await requireChannel(connection, row.channel_id, userId, errorTexts.thread_not_found);
    return { ...access, found: row };
  },
};

/** The right to read a thread. */
export const mayReadThread = located(root);
/** The right to change a thread. */
export const mayChangeThread = located({ ...root, needs: authorOrManager(errorTexts.thread_not_yours) });

/** A thread that the caller may see, by its root. */
export type ToThread = InChannel<MessageRow>;

export function createThreads(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  details: MessageDetails;
  urls: FileUrls;
}) {
  const { database, outbox, details, urls } = options;

  const toThreads = async (rows: readonly ThreadRow[], viewerId: string): Promise<Thread[]> => {
    const found = await findMessages(
      database,
      rows.map(({ id }) => id),
    );
    const roots = await details(found, { viewerId, include: ["author"] });
    const rootOf = new Map(roots.map((message) => [message.id, message]));
    return rows.flatMap((row) => {
      const message = rootOf.get(row.id);
      return message === undefined ? [] : [{ ...fieldsOf(row), ...ownFieldsOf(row), root: message }];
    });
  };

  return {
    /** A page of the threads that the caller may see, the one with the latest reply first. */
    async list({ serverId, userId }: MemberAccess, query: ThreadsQuery): Promise<ThreadPage> {
      const { channel_id, state, ...page } = query;
      const viewable = (await findViewableChannels(database, serverId, userId)).map(({ id }) => id);
      const channelIds = channel_id === undefined ? viewable : viewable.filter((id) => id === channel_id);
      const closed = state === undefined ? undefined : state === "closed";
      const rows = await findThreads(database, userId, { ...page, serverId, channelIds, closed });
      return { threads: await toThreads(rows, userId) };
    },

    /** Changes title or state. */
    async change(may: ToThread, changes: UpdateThread): Promise<Thread> {
      const { found, userId } = await may.access();
      if (!isEmptyChange(changes)) {
        await may.change(async ({ transaction, emit, access: { serverId: server_id } }) => {
          if (!(await updateThread(transaction, found.id, changes))) return;
          const row = await findThread(transaction, userId, found.id);
          if (row === undefined) throw notFound(errorTexts.thread_not_found);
          const message = await toOneMessage(transaction, found, { viewerId: null, urls });
          const scope = { server_id, channel_id: found.channel_id };
          emit(createEvent("THREAD_UPDATE", scope, { ...fieldsOf(row), root: message }));
        });
      }
      const row = await findThread(database, userId, found.id);
      const [thread] = row === undefined ? [] : await toThreads([row], userId);
      if (thread === undefined) throw notFound(errorTexts.thread_not_found);
      return thread;
    },

    /** Marks a thread as read for a follower, up to a reply or until now. */
    async markRead(may: ToThread, messageId: string | undefined): Promise<void> {
      const { found, userId, serverId } = await may.access();
      const upTo = messageId === undefined ? null : await findReplyTime(database, found.id, messageId);
      if (messageId !== undefined && upTo === null) throw notFound(errorTexts.message_not_found);
      await outbox.transaction([{ user_id: userId }], async (transaction, emit) => {
        const read = () => readThread(transaction, { userId, rootId: found.id, upTo });
        const readAt =
          (await read()) ?? ((await followFirst(transaction, emit, userId, found.id)) ? await read() : null);
        if (readAt === null) return;
        const { unread_count = 0, mention_count = 0 } = (await findThread(transaction, userId, found.id)) ?? {};
        const mark = { channel_id: found.channel_id, thread_id: found.id, last_read_at: readAt.toISOString() };
        const payload = { ...mark, unread_count, mention_count };
        emit(createEvent("READ_STATE_UPDATE", { user_id: userId }, payload, { shard_of: serverId }));
      });
    },
  };
}

/** Lets somebody follow a thread that they are about to follow. @returns whether they are */
async function followFirst(transaction: Transaction, emit: Emit, userId: string, rootId: string): Promise<boolean> {
  const since = await findFollowing(transaction, userId, rootId);
  if (since === null || !(await lockExistingAccount(transaction, userId))) return false;
  await followWithin(transaction, emit, { userId, rootId, since });
  return true;
}

export type Threads = ReturnType<typeof createThreads>;

/** What is the same for everybody. */
const fieldsOf = ({
  id,
  channel_id,
  title,
  reply_count,
  last_reply_at,
  participants,
  closed,
  created_by,
}: ThreadRow) => ({
  id,
  channel_id,
  title,
  reply_count,
  last_reply_at: last_reply_at.toISOString(),
  participants,
  closed,
  created_by,
});

const ownFieldsOf = ({ followed, unread_count, mention_count }: ThreadRow) => ({
  followed,
  unread_count,
  mention_count,
});
