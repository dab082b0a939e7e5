import { type Message, type Poll, ScheduledEvent } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { findPolls } from "../polls/repository.js";
import { eventColumn } from "../scheduled-events/repository.js";

/** Columns of a message `m` as every statement selects them. */
export const messageColumns = `m.id, m.channel_id, m.server_id, m.author_id, m.content, m.reply_to, m.mention_user_ids,
  m.mention_everyone, m.thread_id, m.thread_reply_count, m.edited_at, m.deleted, m.created_at, m.pinned, m.pinned_by,
  m.pinned_at, EXISTS (SELECT 1 FROM polls p WHERE p.message_id = m.id) AS has_poll,
  ${eventColumn}`;

/** Row shape of {@link messageColumns}. */
export const messageRow = z.object({
  id: z.string(),
  channel_id: z.string(),
  server_id: z.string(),
  author_id: z.string().nullable(),
  content: z.string(),
  reply_to: z.string().nullable(),
  mention_user_ids: z.array(z.string()),
  mention_everyone: z.boolean(),
  thread_id: z.string().nullable(),
  thread_reply_count: z.int(),
  edited_at: z.date().nullable(),
  deleted: z.boolean(),
  created_at: z.date(),
  pinned: z.boolean(),
  pinned_by: z.string().nullable(),
  pinned_at: z.date().nullable(),
  has_poll: z.boolean(),
  event: ScheduledEvent.nullable(),
});
export type MessageRow = z.infer<typeof messageRow>;

/**
 * The wire form of a message (docs/interface.md#4.11); a deleted one is blanked.
 *
 * @param poll the poll of the message, with the recipient's vote
 */
export function toMessage(row: MessageRow, poll: Poll | null): Message {
  return {
    id: row.id,
    channel_id: row.channel_id,
    author_id: row.author_id,
    content: row.deleted ? "" : row.content,
    reply_to: row.reply_to,
    mention_user_ids: row.deleted ? [] : row.mention_user_ids,
    mention_everyone: row.mention_everyone,
    thread_id: row.thread_id,
    thread_reply_count: row.thread_reply_count,
    edited_at: row.edited_at?.toISOString() ?? null,
    deleted: row.deleted,
    created_at: row.created_at.toISOString(),
    pinned: row.pinned,
    pinned_by: row.pinned_by,
    pinned_at: row.pinned_at?.toISOString() ?? null,
    poll: row.deleted ? null : poll,
    event: row.deleted ? null : row.event,
  };
}

/** Messages with their polls, which have the vote of the viewer; null for no vote. */
export async function toMessages(
  connection: Queryable,
  rows: readonly MessageRow[],
  viewerId: string | null,
): Promise<Message[]> {
  const withPoll = rows.filter((row) => row.has_poll).map((row) => row.id);
  const polls = await findPolls(connection, withPoll, viewerId);
  return rows.map((row) => toMessage(row, polls.get(row.id) ?? null));
}

/** Like {@link toMessages}, for one message. */
export async function toOneMessage(connection: Queryable, row: MessageRow, viewerId: string | null): Promise<Message> {
  const [message] = await toMessages(connection, [row], viewerId);
  if (message === undefined) throw new Error("A message was lost on its way out");
  return message;
}
