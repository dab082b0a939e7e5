import type { SqlValue, Statement } from "./statement.js";

/** Where statements run: the pool (each by itself) or a transaction (all on its connection). */
export interface Queryable {
  /** Runs a prepared statement and returns its rows. */
  query<Row>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]>;
  /** Runs a prepared statement and returns the number of rows that it inserted, updated or deleted. */
  execute(statement: Statement<unknown>, values: readonly SqlValue[]): Promise<number>;
}
