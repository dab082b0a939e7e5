import type { FileUrls } from "@parley/auth";
import {
  Attachment,
  componentRows,
  LinkPreview,
  MessageInteraction,
  MessageWebhook,
  StoredEmbed,
} from "@parley/contracts";
import { defineStatement, jsonTime } from "@parley/database";
import { z } from "zod";
import type { AnyMessage } from "../objects/message.js";
import type { Reading } from "./context.js";
import { jsonFields } from "./rows.js";

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined);

/** SQL of the files of the message `m`. */
const filesOf = (table: string) => `coalesce((SELECT json_agg(json_build_object(
    ${jsonFields("a", "id", "message_id", "filename", "stored_name", "file_size", "mime_type", "width", "height")},
    'created_at', ${jsonTime("a.created_at")}) ORDER BY a.id) FROM ${table} a WHERE a.message_id = m.id), '[]')`;

/** Messages by their ids. */
const storedMessages = defineStatement({
  name: "discord_stored_messages",
  text: `
SELECT id, channel_id, author_id, content, reply_to, mention_user_ids, mention_everyone, mention_role_ids, mention_here, thread_id,
  thread_reply_count, pinned, ${jsonTime("edited_at")} AS edited_at, ${jsonTime("created_at")} AS created_at, interaction, embeds,
  components, webhook, ${filesOf("attachments")} AS attachments,
  coalesce((SELECT p.previews FROM message_previews p WHERE p.message_id = m.id), '[]') AS previews
FROM messages m WHERE id = ANY ($1::uuid[]) AND NOT deleted
UNION ALL SELECT id, channel_id, author_id, content, reply_to, '{}', false, '{}', false, NULL, 0, false,
  ${jsonTime("edited_at")}, ${jsonTime("created_at")}, NULL, NULL, NULL, NULL, ${filesOf("dm_attachments")}, '[]'
FROM dm_messages m WHERE id = ANY ($1::uuid[])`,
  row: z.object({
    id: z.string(),
    channel_id: z.string(),
    author_id: z.string().nullable(),
    content: z.string(),
    reply_to: z.string().nullable(),
    mention_user_ids: z.array(z.string()),
    mention_everyone: z.boolean(),
    mention_role_ids: z.array(z.string()),
    mention_here: z.literal(true).or(z.literal(false).transform(() => undefined)),
    thread_id: z.string().nullable(),
    thread_reply_count: z.int(),
    pinned: z.boolean(),
    edited_at: z.string().nullable(),
    created_at: z.string(),
    interaction: optional(MessageInteraction),
    embeds: optional(z.array(StoredEmbed)),
    components: optional(componentRows),
    webhook: optional(MessageWebhook),
    attachments: z.array(Attachment.omit({ url: true }).extend({ stored_name: z.string() })),
    previews: z.array(LinkPreview),
  }),
});

/** Loads the messages that still exist, by id. */
export async function loadStored(
  { database, urls }: { database: Reading; urls: Pick<FileUrls, "sign"> },
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, AnyMessage>> {
  const asked = [...new Set(ids)];
  const rows = asked.length === 0 ? [] : await database.query(storedMessages, [asked]);
  return new Map(
    rows.map(({ attachments, ...row }) => {
      const given = Object.entries(row).filter(([, value]) => value !== undefined);
      const message = Object.fromEntries(given) as unknown as AnyMessage;
      return [row.id, { ...message, attachments: attachments.map((file) => ({ ...file, url: urls.sign(file) })) }];
    }),
  );
}
