import { createEvent, errorTexts, notFound, type OutgoingEvent } from "@parley/contracts";
import { defineStatement, type RawRow, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";

/** A user in a server. */
export interface Membership {
  serverId: string;
  userId: string;
}

const lockStatement = defineStatement({
  name: "server_lock",
  text: "SELECT id FROM servers WHERE id = $1 FOR NO KEY UPDATE",
  row: (row: RawRow) => String(row.id),
});

/**
 * Lets one transaction at a time decide about a server: a join against a ban, the next position, a limit per server.
 * It is a statement of its own because a later statement sees what the transaction before it committed, while a lock
 * inside the deciding statement would still decide by the old state.
 *
 * @throws ServiceError 404 when the server is gone
 */
export async function lockServer(transaction: Transaction, serverId: string): Promise<void> {
  const [id] = await transaction.query(lockStatement, [serverId]);
  if (id === undefined) throw notFound(errorTexts.server_not_found);
}

/** Deletes the role assignments as well, by cascade. */
const deleteStatement = defineStatement({
  name: "member_delete",
  text: "DELETE FROM members WHERE server_id = $1 AND user_id = $2",
});

const memberStatement = defineStatement({
  name: "member_exists",
  text: "SELECT user_id FROM members WHERE server_id = $1 AND user_id = $2",
  row: (row: RawRow) => String(row.user_id),
});

/** Whether the user is a member of the server. */
export async function isMember(
  connection: Pick<Transaction, "query">,
  { serverId, userId }: Membership,
): Promise<boolean> {
  return (await connection.query(memberStatement, [serverId, userId])).length > 0;
}

/**
 * Ends a membership, if there is one, in the caller's transaction. Gateways stop delivering at SERVER_LEFT, which
 * therefore comes after what the user may still see.
 */
export async function removeMember(transaction: Transaction, emit: Emit, membership: Membership): Promise<void> {
  const { serverId, userId } = membership;
  if ((await transaction.execute(deleteStatement, [serverId, userId])) === 0) return;
  emit(memberEvent("SERVER_LEFT", membership));
}

/** The event for gateways that a user joined or left a server; ordered with the other events of the server. */
export function memberEvent(name: "SERVER_JOINED" | "SERVER_LEFT", { serverId, userId }: Membership): OutgoingEvent {
  const payload = { server_id: serverId, user_id: userId };
  return createEvent(name, { user_id: userId }, payload, { order_key: serverId });
}
