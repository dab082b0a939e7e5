import { errorTexts, notFound } from "@parley/contracts";
import { defineStatement, type RawRow, type Transaction } from "@parley/database";

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
