import type { DmChannel, DmMessage } from "@parley/contracts";
import { z } from "zod";
import { type OthersAccountRow, toOtherUser } from "../../people/users/resource.js";

/** A channel without its participants. */
export const dmChannelRow = z.object({
  id: z.string(),
  created_at: z.date(),
  last_message_at: z.date().nullable(),
});
export type DmChannelRow = z.infer<typeof dmChannelRow>;

/** Columns of a direct message `m` as every statement selects them. */
export const dmMessageColumns = "m.id, m.channel_id, m.author_id, m.content, m.reply_to, m.edited_at, m.created_at";

/** Row shape of {@link dmMessageColumns}. */
export const dmMessageRow = z.object({
  id: z.string(),
  channel_id: z.string(),
  author_id: z.string().nullable(),
  content: z.string(),
  reply_to: z.string().nullable(),
  edited_at: z.date().nullable(),
  created_at: z.date(),
});
export type DmMessageRow = z.infer<typeof dmMessageRow>;

/** A channel from the view of one participant (docs/interface.md#4.17). */
export function toDmChannel(row: DmChannelRow, recipient: OthersAccountRow): DmChannel {
  return {
    id: row.id,
    recipient: toOtherUser(recipient),
    created_at: row.created_at.toISOString(),
    last_message_at: row.last_message_at?.toISOString() ?? null,
  };
}

/** A direct message as it goes over the wire (docs/interface.md#4.17). */
export function toDmMessage(row: DmMessageRow): DmMessage {
  return {
    id: row.id,
    channel_id: row.channel_id,
    author_id: row.author_id,
    content: row.content,
    ...replyField(row.reply_to),
    edited_at: row.edited_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** Only replies have the key, so that other messages are what clients always got. */
export const replyField = (replyTo: string | null | undefined) => (replyTo ? { reply_to: replyTo } : {});
