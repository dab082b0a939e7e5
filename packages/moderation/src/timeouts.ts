import { createEvent, errorTexts, notFound, type Timeout } from "@parley/contracts";
import { defineStatement, isForeignKeyViolation, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";
import { z } from "zod";
import type { Membership } from "./membership.js";

/** A timeout that begins now. */
export interface NewTimeout extends Membership {
  minutes: number;
  reason: string | null;
  createdBy: string;
  /** Given by a rule: enforced only while auto-moderation is enabled (docs/protocol/automod.md#11.3). */
  automatic: boolean;
}

/** The database's clock decides, as it does when timeouts are enforced. */
const storeStatement = defineStatement({
  name: "moderation_store_timeout",
  text: `INSERT INTO timeouts (server_id, user_id, expires_at, reason, created_by, automatic)
    VALUES ($1, $2, now() + make_interval(mins => $3::int), $4, $5, $6)
    ON CONFLICT (server_id, user_id) DO UPDATE
      SET expires_at = excluded.expires_at, reason = excluded.reason, created_by = excluded.created_by,
        automatic = excluded.automatic, created_at = excluded.created_at
    RETURNING expires_at, created_at`,
  row: z.object({ expires_at: z.date(), created_at: z.date() }),
});

const removeStatement = defineStatement({
  name: "moderation_remove_timeout",
  text: "DELETE FROM timeouts WHERE server_id = $1 AND user_id = $2",
});

/**
 * Stores a timeout in the caller's transaction, replacing any. The caller announces manual ones;
 * automatic ones are not announced.
 *
 * @throws ServiceError 404 when the server or the account is gone
 */
export async function storeTimeout(transaction: Transaction, timeout: NewTimeout): Promise<Timeout> {
  const { serverId, userId, minutes, reason, createdBy, automatic } = timeout;
  try {
    const values = [serverId, userId, minutes, reason, createdBy, automatic];
    const [row] = await transaction.query(storeStatement, values);
    if (row === undefined) throw new Error("A stored timeout was not returned");
    return {
      user_id: userId,
      server_id: serverId,
      expires_at: row.expires_at.toISOString(),
      reason,
      created_by: createdBy,
      created_at: row.created_at.toISOString(),
    };
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound(errorTexts.server_not_found);
    throw error;
  }
}

/** Ends a timeout, if there is one, in the caller's transaction. */
export async function removeTimeout(transaction: Transaction, emit: Emit, timeout: Membership): Promise<void> {
  const { serverId, userId } = timeout;
  await transaction.execute(removeStatement, [serverId, userId]);
  emit(createEvent("MEMBER_TIMEOUT_REMOVE", { server_id: serverId }, { server_id: serverId, user_id: userId }));
}
