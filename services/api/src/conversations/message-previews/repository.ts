import { LinkPreview } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** Messages that wait for their link cards: of one author, and of one server. Those beyond get none. */
const waitingPerAuthorMax = 20;
const waitingPerServerMax = 200;

const previewList = z.array(LinkPreview);

/** SQL for the link cards of a message, none for one that has none. */
export const previewsOf = (messageId: string) => `coalesce((
    SELECT p.previews FROM message_previews p WHERE p.message_id = ${messageId}), '[]')`;

/** SQL condition that few enough messages of an author and of a server wait for their cards. */
const hasRoom = ({ authorId, serverId }: { authorId: string; serverId: string }) => `
  (SELECT count(*) FROM (
    SELECT FROM preview_tasks w WHERE w.author_id = ${authorId} LIMIT ${waitingPerAuthorMax}) AS own) < ${waitingPerAuthorMax}
  AND (SELECT count(*) FROM (
    SELECT FROM preview_tasks w WHERE w.server_id = ${serverId} LIMIT ${waitingPerServerMax}) AS own) < ${waitingPerServerMax}`;

/**
 * CTE that notes those of the messages in `timed` that may have links, so that their cards are made after the request by
 * whichever process comes first.
 */
export const notePreviewTasks = `,
    linked AS (
      INSERT INTO preview_tasks (message_id, server_id, author_id)
      SELECT id, server_id, author_id FROM timed
      WHERE content ~* 'https?://|www\\.' AND ${hasRoom({ authorId: "timed.author_id", serverId: "timed.server_id" })})`;

/** Whether {@link notePreviewTasks} may note a message. */
export const mayHaveLinks = (content: string): boolean => /https?:\/\/|www\./i.test(content);

const findStatement = defineStatement({
  name: "message_previews_find",
  text: "SELECT previews FROM message_previews WHERE message_id = $1",
  row: z.object({ previews: previewList }),
});

/** A list that was emptied by hand stays empty. */
const storeStatement = defineStatement({
  name: "message_previews_store",
  text: `INSERT INTO message_previews AS p (message_id, previews) VALUES ($1, $2::jsonb)
    ON CONFLICT (message_id) DO UPDATE SET previews = excluded.previews
    WHERE p.previews <> '[]' AND p.previews <> excluded.previews`,
});

const forgetStatement = defineStatement({
  name: "message_previews_forget",
  text: "DELETE FROM message_previews WHERE message_id = $1 AND previews <> '[]'",
});

/** Stores the task of a message that is being edited. A task that waits already waits anew. */
const noteStatement = defineStatement({
  name: "preview_task_note",
  text: `INSERT INTO preview_tasks (message_id, server_id, author_id)
    SELECT m.id, m.server_id, m.author_id FROM messages m
    WHERE m.id = $1 AND m.author_id IS NOT NULL AND (
      EXISTS (SELECT FROM preview_tasks w WHERE w.message_id = m.id)
      OR ${hasRoom({ authorId: "m.author_id", serverId: "m.server_id" })})
    ON CONFLICT (message_id) DO UPDATE SET due_at = now(), created_at = now(), attempts = 0`,
});

const endStatement = defineStatement({
  name: "preview_task_end",
  text: "DELETE FROM preview_tasks WHERE message_id = $1",
});

const removeStatement = defineStatement({
  name: "message_previews_remove",
  text: `WITH before AS (SELECT jsonb_array_length(previews) AS count FROM message_previews WHERE message_id = $1)
    INSERT INTO message_previews (message_id, previews)
    SELECT m.id, '[]' FROM messages m WHERE m.id = $1 AND NOT m.deleted FOR KEY SHARE OF m
    ON CONFLICT (message_id) DO UPDATE SET previews = excluded.previews
    RETURNING coalesce((SELECT count FROM before), 0) AS removed`,
  row: z.object({ removed: z.int() }),
});

// Every function below needs the lock of the ordering key of the message's channel.

/** The cards of a message; null when none were made, an empty list when they were removed by hand. */
export async function findPreviews(transaction: Transaction, messageId: string): Promise<LinkPreview[] | null> {
  const [row] = await transaction.query(findStatement, [messageId]);
  return row?.previews ?? null;
}

/** Replaces the cards of a message. @returns false when nothing changes */
export async function storePreviews(
  transaction: Transaction,
  messageId: string,
  previews: readonly LinkPreview[],
): Promise<boolean> {
  if (previews.length === 0) return (await transaction.execute(forgetStatement, [messageId])) > 0;
  return (await transaction.execute(storeStatement, [messageId, JSON.stringify(previews)])) > 0;
}

/** Adds a task that makes the cards of a message, unless too many wait for theirs. */
export async function notePreviewTask(transaction: Transaction, messageId: string): Promise<void> {
  await transaction.execute(noteStatement, [messageId]);
}

/** @returns false when the cards of the message are not to be made, or no longer */
export async function endPreviewTask(transaction: Transaction, messageId: string): Promise<boolean> {
  return (await transaction.execute(endStatement, [messageId])) > 0;
}

/** Removes the cards of a message for good. @returns how many it had; null when the message is deleted */
export async function removePreviews(transaction: Transaction, messageId: string): Promise<number | null> {
  const [row] = await transaction.query(removeStatement, [messageId]);
  return row?.removed ?? null;
}
