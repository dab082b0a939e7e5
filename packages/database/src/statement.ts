import type pg from "pg";
import type { z } from "zod";
import { statementNameBytesMax } from "./limits.js";

/**
 * A value of a statement's placeholder. JSON is passed as its text, so that no array is mistaken for a PostgreSQL
 * array.
 */
export type SqlValue = Scalar | Uint8Array | readonly Scalar[];
type Scalar = string | number | bigint | boolean | Date | null;

/**
 * One row as the driver gives it: timestamptz as Date, int8 as bigint, json parsed, arrays as arrays, uuid as string.
 */
export type RawRow = Readonly<Record<string, unknown>>;

/** A prepared statement: planned once per connection, found again by its name. */
export interface Statement<Row> extends Definition {
  readonly parse: (row: RawRow) => Row;
}

interface Definition {
  /** Unique in the process, at most 63 bytes. */
  readonly name: string;
  /** SQL with placeholders `$1`, `$2` …. */
  readonly text: string;
  /**
   * Whether PostgreSQL plans the statement for the values of each run, where no plan is good for all of them; this
   * costs some tenths of a millisecond. Otherwise it uses one generic plan from the sixth run on, if it estimates that
   * plan to be no more expensive.
   */
  readonly isPlannedEachTime?: boolean;
}

const textsByName = new Map<string, string>();
const namesByText = new Map<string, string>();

/**
 * Declares a prepared statement once, at module level, beside the function that uses it.
 *
 * @param definition.row a zod schema, or a function that maps the driver's row; leave it out when no rows come back
 */
export function defineStatement<Row>(definition: Definition & { row: (row: RawRow) => Row }): Statement<Row>;
export function defineStatement<Row>(definition: Definition & { row: z.ZodType<Row> }): Statement<Row>;
export function defineStatement(definition: Definition): Statement<never>;
export function defineStatement<Row>(
  definition: Definition & { row?: z.ZodType<Row> | ((row: RawRow) => Row) },
): Statement<Row> {
  const { name, text, row, isPlannedEachTime = false } = definition;
  if (Buffer.byteLength(name) > statementNameBytesMax) throw new Error(`Statement name too long: ${name}`);
  if ((textsByName.get(name) ?? text) !== text) throw new Error(`Two statements are named ${name}`);
  textsByName.set(name, text);
  if (!isPlannedEachTime) namesByText.set(text, name);
  const parse =
    row === undefined ? () => refuseRow(name) : typeof row === "function" ? row : (raw: RawRow) => row.parse(raw);
  return { name, text, isPlannedEachTime, parse };
}

/** A query in the form that the driver takes. */
export function prepared(statement: Statement<unknown>, values: readonly SqlValue[]): pg.QueryConfig {
  const { name, text, isPlannedEachTime } = statement;
  return { ...(isPlannedEachTime ? {} : { name }), text, values: [...values] };
}

/**
 * SQL of a FROM item with the rows of several arrays, one parameter per column from `$1` on.
 *
 * If the planner can see the length of the arrays, it plans a statement for every batch of fewer than ten rows again,
 * which costs more than running it: 1.5 ms for READY, a quarter of all the processor time of a message. A subquery
 * hides the length, so that a statement is planned once per connection.
 *
 * @param types PostgreSQL types of the columns, such as `uuid`
 */
export function rowsOfArrays(...types: readonly string[]): string {
  return `unnest(${types.map((type, index) => `(SELECT $${index + 1}::${type}[])`).join(", ")})`;
}

/** The values for {@link rowsOfArrays}: of each row the fields with these names, as one array per column. */
export function columnsOf<Row, Name extends keyof Row>(rows: readonly Row[], ...names: readonly Name[]): Row[Name][][] {
  return names.map((name) => rows.map((row) => row[name]));
}

/** SQL for the last UUIDv7 of an instant, to the millisecond; null for null. */
export const lastIdOf = (instant: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${instant}) * 1000)::bigint), 12, '0') || repeat('f', 20))::uuid`;

/** SQL for an instant in the form of the interface (docs/protocol/requests.md#1.2). */
export function jsonTime(instant: string): string {
  return `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function refuseRow(name: string): never {
  throw new Error(`Statement ${name} returned a row but declares none`);
}

/** The name under which a declared statement's text is prepared; undefined for any other SQL. */
export function statementName(text: string): string | undefined {
  return namesByText.get(text);
}
