import type { Queryable, SqlValue, Statement } from "@parley/database";
import type { HistoryPlace } from "./schema.js";

/** SQL for the order of the messages `m` of a history. */
export const newestFirst = "ORDER BY m.created_at DESC, m.id DESC";
const oldestFirst = "ORDER BY m.created_at, m.id";

/**
 * The parts of a statement that reads a page of a history: its name and conditions for messages `m`, which it takes in
 * an order.
 */
export interface PageParts {
  name: string;
  where: string;
  order: string;
}

/**
 * Defines the statements that read pages of histories: the newest messages, those directly before or after a message, or the
 * first ones from an instant on.
 *
 * @param tables those with ids of messages: a cursor of another channel finds nothing (docs/protocol/requests.md#1.5). That of a message
 * which is gone still marks its place: the id has the time, and other ids than those of messages have none
 * @param cursor the parameter for the message or the instant, after all others; $1 is the channel
 */
export function pageStatements<Row>(
  name: string,
  { tables, cursor }: { tables: readonly string[]; cursor: string },
  define: (parts: PageParts) => Statement<Row>,
) {
  const others = tables.map((table) => `SELECT 1 FROM ${table} WHERE id = ${cursor} AND channel_id <> $1`);
  const isCursor = `NOT EXISTS (${others.join(" UNION ALL ")})`;
  const beside = (sign: "<" | ">") =>
    `AND (m.created_at, m.id) ${sign} (uuid_extract_timestamp(${cursor}), ${cursor}) AND ${isCursor}`;
  const statements = {
    latest: define({ name: `${name}_latest`, where: "", order: newestFirst }),
    before: define({ name: `${name}_before`, where: beside("<"), order: newestFirst }),
    // Ascending, so that the page begins right after the cursor.
    after: define({ name: `${name}_after`, where: beside(">"), order: oldestFirst }),
    // Ascending, too: the page begins at the instant.
    since: define({ name: `${name}_since`, where: `AND m.created_at >= ${cursor}`, order: oldestFirst }),
  };
  return {
    latest: statements.latest,
    /** @param values those before the cursor */
    find(
      connection: Queryable,
      { before, after, since }: Pick<HistoryPlace, "before" | "after" | "since">,
      values: readonly SqlValue[],
    ) {
      if (before !== undefined) return connection.query(statements.before, [...values, before]);
      if (after !== undefined) return connection.query(statements.after, [...values, after]);
      if (since !== undefined) return connection.query(statements.since, [...values, since]);
      return connection.query(statements.latest, values);
    },
  };
}
