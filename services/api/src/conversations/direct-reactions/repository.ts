import { ReactionCount } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { countedReactions, isBelowCap, type ReactionKey } from "../reactions/repository.js";

const countStatement = defineStatement({
  name: "dm_reaction_count",
  text: countedReactions("dm_reactions"),
  row: ReactionCount,
});

/** Writers of a channel take turns, so the cap is exact. */
const addStatement = defineStatement({
  name: "dm_reaction_add",
  text: `WITH known AS (
      SELECT EXISTS (SELECT FROM dm_reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3) AS is_there,
        EXISTS (SELECT FROM dm_reactions WHERE message_id = $1 AND emoji = $2)
          OR ${isBelowCap("dm_reactions")} AS has_room),
    added AS (
      INSERT INTO dm_reactions (message_id, emoji, user_id) SELECT $1, $2, $3 FROM known WHERE NOT is_there AND has_room)
    SELECT CASE WHEN is_there THEN 'there' WHEN has_room THEN 'added' ELSE 'full' END AS outcome FROM known`,
  row: z.object({ outcome: z.enum(["there", "added", "full"]) }),
});

const removeStatement = defineStatement({
  name: "dm_reaction_remove",
  text: "DELETE FROM dm_reactions WHERE message_id = $1 AND emoji = $2 AND user_id = $3",
});

/** Reactions to a direct message by emoji, in the order of each emoji's first reaction. */
export function countDirectReactions(
  connection: Queryable,
  messageId: string,
  viewerId: string,
): Promise<ReactionCount[]> {
  return connection.query(countStatement, [messageId, viewerId]);
}

/** @returns `full`: the message has as many emoji as it may, so that this one was refused */
export async function addDirectReaction(transaction: Transaction, { messageId, emoji, userId }: ReactionKey) {
  const [row] = await transaction.query(addStatement, [messageId, emoji, userId]);
  if (row === undefined) throw new Error("A reaction was neither added nor refused");
  return row.outcome;
}

/** @returns false when there was no such reaction */
export async function removeDirectReaction(
  transaction: Transaction,
  { messageId, emoji, userId }: ReactionKey,
): Promise<boolean> {
  return (await transaction.execute(removeStatement, [messageId, emoji, userId])) > 0;
}
