import { type DetailedMessage, listedReactionsMax, ReactionCount } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { attachmentRow, toAttachment } from "../../files/attachment.js";
import type { FileUrls } from "../../files/signed-urls.js";
import { FairQueue } from "../../load/fair-queue.js";
import { detailReads } from "./limits.js";
import { type MessageRow, toMessages } from "./resource.js";
import type { Include } from "./schema.js";

/** $2: the viewer, null for no reactions. $3: whether to read attachments. Reactions are ordered by their first use. */
const detailStatement = defineStatement({
  name: "message_details",
  text: `SELECT message.id,
      CASE WHEN $2::uuid IS NULL THEN NULL ELSE (
        SELECT CASE WHEN count(*) <= ${listedReactionsMax} THEN coalesce(json_agg(
            json_build_object('emoji', emoji, 'count', count, 'me', me) ORDER BY first, emoji), '[]') END
        FROM (
          SELECT emoji, count(*)::integer AS count, bool_or(user_id = $2) AS me, min(created_at) AS first
          FROM reactions WHERE message_id = message.id GROUP BY emoji) AS counted) END AS reactions,
      CASE WHEN $3 THEN (
        SELECT coalesce(json_agg(to_json(a) ORDER BY a.id), '[]')
        FROM attachments a WHERE a.message_id = message.id) END AS attachments
    FROM unnest($1::uuid[]) AS message (id)`,
  row: z.object({
    id: z.string(),
    reactions: z.array(ReactionCount).nullable(),
    attachments: z.array(attachmentRow).nullable(),
  }),
});

const ofDeleted = { reactions: [], attachments: [] };

/** The viewer and the details that they requested. */
export interface Wanted {
  viewerId: string;
  include: Include;
}

/**
 * Creates the function that adds the requested details to messages (docs/interface.md#7.1), with one statement for all
 * messages of a list.
 */
export function createMessageDetails({ database, urls }: { database: Database; urls: FileUrls }) {
  const queue = new FairQueue(detailReads);

  const read = async (rows: readonly MessageRow[], { viewerId, include }: Wanted) => {
    const ids = rows.filter(({ deleted }) => !deleted).map(({ id }) => id);
    const reactionsOf = include.includes("reactions") ? viewerId : null;
    const values = [ids, reactionsOf, include.includes("attachments")];
    const found = await queue.run(viewerId, () => database.query(detailStatement, values));
    return new Map(found.map((row) => [row.id, row]));
  };

  return async (rows: readonly MessageRow[], wanted: Wanted): Promise<DetailedMessage[]> => {
    const { viewerId, include } = wanted;
    const messages = await toMessages(database, rows, viewerId);
    if (include.length === 0 || messages.length === 0) return messages;
    const details = await read(rows, wanted);
    return messages.map((message) => {
      const { reactions, attachments } = details.get(message.id) ?? ofDeleted;
      return {
        ...message,
        ...(include.includes("reactions") && reactions !== null ? { reactions } : {}),
        ...(include.includes("attachments") && attachments !== null
          ? { attachments: attachments.map((row) => toAttachment(row, urls)) }
          : {}),
      };
    });
  };
}

/** Converts rows to messages for a viewer, with the requested details. */
export type MessageDetails = ReturnType<typeof createMessageDetails>;
