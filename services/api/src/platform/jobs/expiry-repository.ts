import { defineStatement, type SqlValue, type Statement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { type Job, type Progress, untilNone } from "./job.js";

const hourMs = 3_600_000;
/** Rows that one statement takes. */
const sizeMax = 1_000;

/**
 * Expired rows of a table, and the statement that deletes or changes them; declared beside the other statements of the
 * table.
 */
export interface Expiry {
  /** In logs and metrics. */
  readonly name: string;
  readonly statement: Statement<never>;
  /** From $2 on. */
  readonly values: readonly SqlValue[];
  readonly everyMs: number;
}

/**
 * Declares the end of expired rows. It skips rows that another process has locked.
 *
 * @param expiry.key columns that identify a row
 * @param expiry.where condition of expired rows `t`; its values are $2 and so on
 * @param expiry.order of an index, so that the first rows are found at once
 * @param expiry.set changes of the rows; absent: they are deleted
 * @param expiry.everyMs interval of each process's look, for rows that cannot wait an hour
 */
export function defineExpiry({
  name,
  table,
  key = "id",
  where,
  order,
  set,
  values = [],
  everyMs = hourMs,
}: {
  name: string;
  table: string;
  key?: string;
  where: string;
  order: string;
  set?: string;
  values?: readonly SqlValue[];
  everyMs?: number;
}): Expiry {
  const change = set === undefined ? `DELETE FROM ${table} t` : `UPDATE ${table} t SET ${set}`;
  const statement = defineStatement({
    name: name.replaceAll(" ", "_"),
    text: `${change} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} t WHERE ${where} ORDER BY ${order} LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  });
  return { name, statement, values, everyMs };
}

/** Does the next rows of an expiry, at most `size`. */
export async function expireBatch(
  connection: Queryable,
  { statement, values }: Pick<Expiry, "statement" | "values">,
  size: number,
): Promise<Progress> {
  return untilNone(await connection.execute(statement, [size, ...values]));
}

/** The jobs of declared expiries, one batch of all of them at a time, so that they leave the database to requests. */
export function createExpiryJobs(database: Queryable, expiries: readonly Expiry[]): Job[] {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
  return expiries.map((expiry) => ({
    name: expiry.name,
    causes: [],
    when: { everyMs: expiry.everyMs },
    sizeMax,
    batch: ({ size }) => inTurn(() => expireBatch(database, expiry, size)),
  }));
}
