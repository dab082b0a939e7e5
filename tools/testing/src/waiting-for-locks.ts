import type { Client } from "pg";

/**
 * How many other connections of the database wait for a lock. May be asked inside a transaction, also by the
 * connection that holds the lock.
 *
 * @param database a connection of the database
 * @param options.statement counts only those whose statement contains this text
 */
export async function waitingForLocks(
  database: Client,
  { statement = "" }: { statement?: string } = {},
): Promise<number> {
  // Connections that were opened since the transaction's first look are not in the view otherwise.
  await database.query("SELECT pg_stat_clear_snapshot()");
  const { rows } = await database.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()
        AND strpos(query, $1) > 0`,
    [statement],
  );
  return rows.length;
}
