import { defineStatement, type Transaction } from "@parley/database";
import type { Membership } from "./membership.js";

/** A second ban during a purge deletes the messages that either ban asks for. */
const noteStatement = defineStatement({
  name: "ban_purge_note",
  text: `INSERT INTO ban_purges (server_id, user_id, since) VALUES ($1, $2, now() - make_interval(secs => $3))
    ON CONFLICT (server_id, user_id) DO UPDATE SET since = least(ban_purges.since, excluded.since), until = NULL,
      created_at = excluded.created_at, due_at = least(ban_purges.due_at, excluded.due_at)`,
});

const endStatement = defineStatement({
  name: "ban_purge_end",
  text: `UPDATE ban_purges SET until = clock_timestamp() WHERE server_id = $1 AND user_id = $2 AND until IS NULL`,
});

/**
 * Notes, in the transaction of a ban, that the messages of the last `seconds` are to be deleted
 * (docs/protocol/moderation.md#24.4). They are deleted after it, in steps.
 */
export async function notePurge(
  transaction: Transaction,
  { serverId, userId, seconds }: Membership & { seconds: number },
): Promise<void> {
  await transaction.execute(noteStatement, [serverId, userId, seconds]);
}

/** With the end of a ban: messages that the user writes from now on stay. */
export async function limitPurge(transaction: Transaction, { serverId, userId }: Membership): Promise<void> {
  await transaction.execute(endStatement, [serverId, userId]);
}
