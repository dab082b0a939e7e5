import type { FileUrls } from "@parley/auth";
import type { Message, Poll } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import { forwardedKeyOf } from "../core/forwarded-repository.js";
import { findPolls } from "../polls/repository.js";
import { findInterests } from "../scheduled-events/repository.js";
import { appKeys } from "./embeds.js";
import type { MessageRow } from "./repository.js";

/**
 * The wire form of a message (docs/protocol/objects.md#4.11); a deleted one is blanked.
 *
 * @param poll the poll of the message, with the recipient's vote
 */
export function toMessage(row: MessageRow, poll: Poll | null, urls: FileUrls): Message {
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
    ...(row.deleted || row.interaction === null ? {} : { interaction: row.interaction }),
    ...(row.deleted ? {} : appKeys(row, urls, row.id)),
    ...(row.webhook === null ? {} : { webhook: row.webhook }),
    ...(row.deleted || row.mention_role_ids.length === 0 ? {} : { mention_role_ids: row.mention_role_ids }),
    ...(row.deleted || !row.mention_here ? {} : { mention_here: true as const }),
    ...(row.deleted ? {} : forwardedKeyOf(row.forwarded, urls)),
  };
}

/**
 * Bytes of the embeds and components of a list of messages, as they are answered. Beyond them, messages are listed without
 * theirs: a page keeps its length, by which clients know the last one (docs/protocol/requests.md#1.5).
 */
const listedPartsBytesMax = 1_000_000;

/** Counts the parts of messages one after the other. */
function createListing(urls: FileUrls) {
  let left = listedPartsBytesMax;
  return (row: MessageRow, poll: Poll | null): Message => {
    const hasParts = !row.deleted && (row.embeds !== null || row.components !== null);
    if (row.parts_left_out !== true && !hasParts) return toMessage(row, poll, urls);
    const isFirst = left === listedPartsBytesMax;
    if (row.parts_left_out !== true && left > 0) {
      const message = toMessage(row, poll, urls);
      left -= Buffer.byteLength(JSON.stringify([message.embeds, message.components]));
      if (left >= 0 || isFirst) return message;
    }
    const without = toMessage({ ...row, embeds: null, components: null }, poll, urls);
    return row.deleted ? without : { ...without, parts_left_out: true };
  };
}

/** Messages with their polls and events, which say what the viewer chose (null for nobody), and signed pictures. */
export async function toMessages(
  connection: Queryable,
  rows: readonly MessageRow[],
  { viewerId, urls }: { viewerId: string | null; urls: FileUrls },
): Promise<Message[]> {
  const withPoll = rows.filter((row) => row.has_poll).map((row) => row.id);
  const polls = await findPolls(connection, withPoll, viewerId);
  const events = rows.flatMap(({ event }) => event ?? []);
  const withMe = await findInterests(connection, events, viewerId);
  const listed = createListing(urls);
  return rows.map(({ event, ...row }) =>
    listed({ ...row, event: event === null ? null : withMe(event) }, polls.get(row.id) ?? null),
  );
}

/** Like {@link toMessages}, for one message. */
export async function toOneMessage(
  connection: Queryable,
  row: MessageRow,
  how: { viewerId: string | null; urls: FileUrls },
): Promise<Message> {
  const [message] = await toMessages(connection, [row], how);
  if (message === undefined) throw new Error("A message was lost on its way out");
  return message;
}
