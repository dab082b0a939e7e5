import { componentRows, MessageInteraction, MessageWebhook, StoredEmbed } from "@parley/contracts";
import { defineStatement, jsonTime } from "@parley/database";
import { z } from "zod";
import type { AnyMessage } from "../objects/message.js";
import type { Reading } from "./context.js";

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined);

/** Messages by their ids. Their files, whose addresses only the api can sign, are not among it. */
const storedMessages = defineStatement({
  name: "discord_stored_messages",
  text: `
SELECT id, channel_id, author_id, content, reply_to, mention_user_ids, mention_everyone, thread_id, thread_reply_count, pinned,
  ${jsonTime("edited_at")} AS edited_at, ${jsonTime("created_at")} AS created_at, interaction, embeds, components, webhook
FROM messages WHERE id = ANY ($1::uuid[]) AND NOT deleted
UNION ALL SELECT id, channel_id, author_id, content, reply_to, '{}', false, NULL, 0, false,
  ${jsonTime("edited_at")}, ${jsonTime("created_at")}, NULL, NULL, NULL, NULL
FROM dm_messages WHERE id = ANY ($1::uuid[])`,
  row: z.object({
    id: z.string(),
    channel_id: z.string(),
    author_id: z.string().nullable(),
    content: z.string(),
    reply_to: z.string().nullable(),
    mention_user_ids: z.array(z.string()),
    mention_everyone: z.boolean(),
    thread_id: z.string().nullable(),
    thread_reply_count: z.int(),
    pinned: z.boolean(),
    edited_at: z.string().nullable(),
    created_at: z.string(),
    interaction: optional(MessageInteraction),
    embeds: optional(z.array(StoredEmbed)),
    components: optional(componentRows),
    webhook: optional(MessageWebhook),
  }),
});

/** Loads the messages that still exist, by id. */
export async function loadStored(database: Reading, ids: Iterable<string>): Promise<ReadonlyMap<string, AnyMessage>> {
  const asked = [...new Set(ids)];
  const rows = asked.length === 0 ? [] : await database.query(storedMessages, [asked]);
  return new Map(
    rows.map(({ interaction, embeds, components, webhook, ...message }) => [
      message.id,
      {
        ...message,
        ...(interaction === undefined ? {} : { interaction }),
        ...(embeds === undefined ? {} : { embeds }),
        ...(components === undefined ? {} : { components }),
        ...(webhook === undefined ? {} : { webhook }),
      },
    ]),
  );
}
