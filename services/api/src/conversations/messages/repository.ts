import {
  componentRows,
  MessageAuthor,
  MessageInteraction,
  MessageWebhook,
  ScheduledEvent,
  StoredEmbed,
} from "@parley/contracts";
import { defineStatement, mentionsGroup, rowsOfArrays, storeGroupMentions } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { guessLanguage } from "@parley/message-text";
import { z } from "zod";
import { detailRow, listedAttachments, listedReactions } from "../core/detail-repository.js";
import type { WantedDetails } from "../core/details.js";
import { forwardedColumn, forwardedRow } from "../core/forwarded-repository.js";
import { previewsOf } from "../message-previews/repository.js";
import { eventColumn } from "../scheduled-events/repository.js";
import { authorOf, authorVersion } from "./author-repository.js";
import type { storedParts } from "./embeds.js";

const columnsWith = (
  parts: string,
) => `m.id, m.channel_id, m.server_id, m.author_id, m.content, m.reply_to, m.mention_user_ids,
  m.mention_everyone, m.thread_id, m.thread_reply_count, m.edited_at, m.deleted, m.created_at, m.pinned, m.pinned_by,
  m.pinned_at, m.interaction, ${parts}, m.webhook, m.mention_role_ids, m.mention_here, ${forwardedColumn("")},
  EXISTS (SELECT 1 FROM polls p WHERE p.message_id = m.id) AS has_poll,
  ${eventColumn}`;

/** Columns of a message `m` as every statement selects them. */
export const messageColumns = columnsWith("m.embeds, m.components");

/** Characters of the embeds and components of a list, as they are stored, that are read. */
const storedPartsMax = 1_000_000;
const isRead = `m.parts_length <= ${storedPartsMax}`;

/**
 * SQL for the messages of a list: of those beyond {@link storedPartsMax}, embeds and components are not read. A message may have
 * 65,536 bytes of them, which a hundred of a page would take too much time and memory for.
 *
 * @param rows statement that selects all columns of at most a page of messages `m`
 * @param order of the list
 */
export const listedMessages = (rows: string, order: string) =>
  `SELECT ${columnsWith(`CASE WHEN ${isRead} THEN m.embeds END AS embeds, CASE WHEN ${isRead} THEN m.components END AS components,
    num_nonnulls(m.embeds, m.components) > 0 AND NOT ${isRead} AS parts_left_out`)}
  FROM (SELECT m.*, sum(coalesce(length(m.embeds::text), 0) + coalesce(length(m.components::text), 0))
      OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS parts_length FROM (${rows}) AS m) AS m
  ORDER BY ${order}`;

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
  mention_role_ids: z.array(z.string()),
  mention_here: z.boolean(),
  thread_id: z.string().nullable(),
  thread_reply_count: z.int(),
  edited_at: z.date().nullable(),
  deleted: z.boolean(),
  created_at: z.date(),
  pinned: z.boolean(),
  pinned_by: z.string().nullable(),
  pinned_at: z.date().nullable(),
  interaction: MessageInteraction.nullable(),
  embeds: z.array(StoredEmbed).nullable(),
  components: componentRows.nullable(),
  /** Only in rows of {@link listedMessages}. */
  parts_left_out: z.boolean().optional(),
  webhook: MessageWebhook.nullable(),
  forwarded: forwardedRow.nullable(),
  has_poll: z.boolean(),
  event: ScheduledEvent.nullable(),
});
export type MessageRow = z.infer<typeof messageRow>;

const editedRow = messageRow.extend({ author: MessageAuthor.nullable(), has_groups: z.boolean() });

const findStatement = defineStatement({
  name: "message_find",
  text: `SELECT ${messageColumns} FROM messages m WHERE m.id = $1`,
  row: messageRow,
});

const changedPart = (name: string) =>
  `CASE WHEN $7::jsonb ? '${name}' THEN nullif($7::jsonb -> '${name}', 'null') ELSE ${name} END`;

/**
 * $2 to $4, $8 and $9: null for no change. $6: the editor. $7: the changed ones of the embeds, components and their texts. The users
 * whom the text mentions by groups are those of the moment of the edit.
 */
const editStatement = defineStatement({
  name: "message_edit",
  text: `UPDATE messages m
    SET content = coalesce($2, content), language = CASE WHEN $2 IS NULL THEN language
        ELSE coalesce($10, (SELECT lower(left(s.language, 2)) FROM servers s WHERE s.id = m.server_id)) END,
      mention_user_ids = coalesce($3::uuid[], mention_user_ids),
      mention_everyone = coalesce($4, mention_everyone), edited_at = now(),
      embeds = ${changedPart("embeds")}, components = ${changedPart("components")},
      embed_texts = CASE WHEN $7::jsonb ? 'embed_texts' THEN $7::jsonb ->> 'embed_texts' ELSE embed_texts END,
      mention_role_ids = coalesce($8::uuid[], mention_role_ids), mention_here = coalesce($9, mention_here)
    WHERE m.id = $1 AND NOT m.deleted
      AND ${authorVersion({ serverId: "m.server_id", userId: "$6" })} = $5
    RETURNING ${messageColumns}, ${authorOf({ serverId: "m.server_id", userId: "m.author_id" })} AS author,
      ${mentionsGroup("old")} OR ${mentionsGroup("new")} AS has_groups`,
  row: editedRow,
});

const forgetGroupsStatement = defineStatement({
  name: "message_group_mentions_delete",
  text: `DELETE FROM group_mentions WHERE message_id = $1`,
});

const storeGroupsStatement = defineStatement({
  name: "message_group_mentions_store",
  text: storeGroupMentions(`(SELECT * FROM messages WHERE id = $1 AND ${mentionsGroup("messages")})`),
});

/** $4: the viewer, null for no reactions. $5: whether to read attachments, $6: authors, $7: link cards. Reactions are ordered by their first use. */
const detailStatement = defineStatement({
  name: "message_details",
  text: `SELECT message.id,
      CASE WHEN $4::uuid IS NOT NULL THEN ${listedReactions("", "$4")} END AS reactions,
      CASE WHEN $5 THEN ${listedAttachments("")} END AS attachments,
      CASE WHEN $6 THEN ${authorOf({ serverId: "message.server_id", userId: "message.author_id" })} END AS author,
      CASE WHEN $7 THEN ${previewsOf("message.id")} END AS previews
    FROM ${rowsOfArrays("uuid", "uuid", "uuid")} AS message (id, server_id, author_id)`,
  row: detailRow,
});

const listStatement = defineStatement({
  name: "messages_find",
  text: listedMessages("SELECT * FROM messages m WHERE m.id = ANY ($1::uuid[]) AND NOT m.deleted", "m.id"),
  row: messageRow,
});

/** Those of the messages that are not deleted, in no order. */
export function findMessages(connection: Queryable, ids: readonly string[]): Promise<MessageRow[]> {
  return connection.query(listStatement, [[...ids]]);
}

/** A message, deleted or not. */
export async function findMessage(connection: Queryable, messageId: string): Promise<MessageRow | null> {
  const [row] = await connection.query(findStatement, [messageId]);
  return row ?? null;
}

/** The text of a message after an edit. */
export interface EditedText {
  content: string;
  mentionUserIds: readonly string[];
  mentionEveryone: boolean;
  mentionRoleIds: readonly string[];
  mentionHere: boolean;
}

/**
 * @param edit.text null to leave it as it is
 * @param edit.authorVersion version of the editor at the check
 * @param edit.parts the changed ones of the embeds, components and their texts
 * @returns null when it was deleted, or the editor's membership or timeout has changed since the check
 */
export async function editMessage(
  connection: Queryable,
  {
    messageId,
    editorId,
    authorVersion,
    text,
    parts = {},
  }: {
    messageId: string;
    editorId: string;
    authorVersion: string;
    text: EditedText | null;
    parts?: Partial<ReturnType<typeof storedParts>>;
  },
): Promise<{ row: MessageRow; author: MessageAuthor | null } | null> {
  const { content, mentionUserIds, mentionEveryone, mentionRoleIds, mentionHere } = text ?? {};
  const texts = [content ?? null, mentionUserIds ?? null, mentionEveryone ?? null];
  const groups = [mentionRoleIds ?? null, mentionHere ?? null];
  const language = content === undefined ? null : guessLanguage(content);
  const values = [messageId, ...texts, authorVersion, editorId, JSON.stringify(parts), ...groups, language];
  const [edited] = await connection.query(editStatement, values);
  if (edited === undefined) return null;
  const { author, has_groups, ...row } = edited;
  if (has_groups && text !== null) await replaceGroupMentions(connection, messageId);
  return { row, author };
}

/** After an edit: the groups that a message mentions now, with the users of now. */
async function replaceGroupMentions(connection: Queryable, messageId: string): Promise<void> {
  await connection.execute(forgetGroupsStatement, [messageId]);
  await connection.execute(storeGroupsStatement, [messageId]);
}

/** A message that details are read of; without `deleted` where none is. */
export type DescribedMessage = Pick<MessageRow, "id" | "server_id" | "author_id"> &
  Partial<Pick<MessageRow, "deleted">>;

/** Reactions, attachments, authors and link cards of messages, those of them that are wanted. */
export function findDetails(connection: Queryable, messages: readonly DescribedMessage[], wanted: WantedDetails) {
  return connection.query(detailStatement, [
    messages.map(({ id }) => id),
    messages.map(({ server_id }) => server_id),
    messages.map(({ author_id }) => author_id),
    wanted.reactionsOf,
    wanted.attachments,
    wanted.author,
    wanted.previews,
  ]);
}
