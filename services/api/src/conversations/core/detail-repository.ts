import { LinkPreview, listedReactionsMax, MessageAuthor, ReactionCount } from "@parley/contracts";
import { z } from "zod";
import { attachmentRow } from "../../platform/files/attachment.js";
import type { TablePrefix } from "./kind.js";

/**
 * SQL for the reactions to a `message` by emoji, in the order of each emoji's first one; null when there are more emoji
 * than lists have.
 *
 * @param viewer expression of the reader's id
 */
export const listedReactions = (prefix: TablePrefix, viewer: string) => `(
        SELECT CASE WHEN count(*) <= ${listedReactionsMax} THEN coalesce(json_agg(
            json_build_object('emoji', emoji, 'count', count, 'me', me) ORDER BY first, emoji), '[]') END
        FROM (
          SELECT emoji, count(*)::integer AS count, bool_or(user_id = ${viewer}) AS me, min(created_at) AS first
          FROM ${prefix}reactions WHERE message_id = message.id GROUP BY emoji) AS counted)`;

/** SQL for the attachments of a `message` in the order of upload, without the files that it forwards. */
export const listedAttachments = (prefix: TablePrefix) => `(
        SELECT coalesce(json_agg(to_json(a) ORDER BY a.id), '[]')
        FROM ${prefix}attachments a WHERE a.message_id = message.id AND NOT a.forwarded)`;

/** Row shape of a message's details; those that were not asked for are null. */
export const detailRow = z.object({
  id: z.string(),
  reactions: z.array(ReactionCount).nullable(),
  attachments: z.array(attachmentRow).nullable(),
  author: MessageAuthor.nullable(),
  /** Only for messages of channels. */
  previews: z.array(LinkPreview).nullable().optional(),
});
