import type { Prisma } from "./generated/client.js";
import type { SqlValue, Statement } from "./statement.js";

/** Where statements run: the pool (each by itself) or a transaction (all on its connection). */
export interface Queryable {
  /** Prisma's model methods: the way to the database except where a measurement forbids it. */
  readonly prisma: Prisma.TransactionClient;
  /** Runs a prepared statement and returns its rows. */
  query<Row>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]>;
  /** Runs a prepared statement and returns the number of rows that it inserted, updated or deleted. */
  execute(statement: Statement<unknown>, values: readonly SqlValue[]): Promise<number>;
}
