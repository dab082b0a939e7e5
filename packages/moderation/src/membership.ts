import { createEvent, errorTexts, type LeaveReason, type Member, notFound } from "@parley/contracts";
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
 * Lets one transaction at a time decide about a server: a join against a ban, the next position, a limit per server. It
 * is a statement of its own because a later statement sees the commits of the transaction before it, while a lock
 * inside the deciding statement would still decide by the old state.
 *
 * @throws ServiceError 404 when the server is gone
 */
export async function lockServer(transaction: Transaction, serverId: string): Promise<void> {
  const [id] = await transaction.query(lockStatement, [serverId]);
  if (id === undefined) throw notFound(errorTexts.server_not_found);
}

/** SQL for whether an account is a bot with commands, which a revoked one never is. */
function hasCommands(userId: string): string {
  return `EXISTS (SELECT FROM bots b JOIN app_commands c ON c.bot_id = b.id WHERE b.user_id = ${userId})`;
}

/** Deletes the role assignments as well, by cascade. */
const deleteStatement = defineStatement({
  name: "member_delete",
  text: `DELETE FROM members m WHERE m.server_id = $1 AND m.user_id = $2 RETURNING ${hasCommands("m.user_id")} AS has_commands`,
  row: (row: RawRow) => ({ hasCommands: row.has_commands === true }),
});

const commandsStatement = defineStatement({
  name: "member_has_commands",
  text: `SELECT ${hasCommands("$1")} AS has_commands`,
  row: (row: RawRow) => row.has_commands === true,
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
 * Emits the events of a membership that the caller's transaction has stored. Gateways deliver the server's events to
 * the user from SERVER_JOINED on; both are ordered with the other events of the server.
 */
export async function emitJoin(transaction: Transaction, emit: Emit, serverId: string, member: Member): Promise<void> {
  const { user_id: userId } = member;
  const joined = { server_id: serverId, user_id: userId };
  emit(createEvent("SERVER_JOINED", { user_id: userId }, joined, { order_key: serverId }));
  emit(createEvent("MEMBER_JOIN", { server_id: serverId }, { server_id: serverId, member }));
  const [bringsCommands] = member.is_bot ? await transaction.query(commandsStatement, [userId]) : [];
  if (bringsCommands) emit(commandsUpdate({ serverId, userId }));
}

const commandsUpdate = ({ serverId, userId }: Membership) =>
  createEvent("COMMANDS_UPDATE", { server_id: serverId }, { server_id: serverId, bot_user_id: userId });

/**
 * Ends a membership, if there is one, in the caller's transaction. Gateways stop delivering at SERVER_LEFT, which
 * therefore comes after the events that the user may still see.
 */
export async function removeMember(
  transaction: Transaction,
  emit: Emit,
  { serverId, userId, reason }: Membership & { reason: LeaveReason },
): Promise<void> {
  const [removed] = await transaction.query(deleteStatement, [serverId, userId]);
  if (removed === undefined) return;
  const left = { server_id: serverId, user_id: userId, reason };
  emit(createEvent("MEMBER_LEAVE", { server_id: serverId }, left));
  emit(createEvent("SERVER_LEFT", { user_id: userId }, left, { order_key: serverId }));
  if (removed.hasCommands) emit(commandsUpdate({ serverId, userId }));
}
