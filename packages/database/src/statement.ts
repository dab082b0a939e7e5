import type pg from "pg";
import type { z } from "zod";
import { statementNameBytesMax } from "./limits.js";

/** A value of a statement's placeholder. JSON is passed as its text, so that no array is mistaken for a PostgreSQL array. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly (string | number | bigint | boolean | Date | null)[];

/** One row as the driver gives it: timestamptz as Date, int8 as bigint, json parsed, arrays as arrays, uuid as string. */
export type RawRow = Readonly<Record<string, unknown>>;

/** A prepared statement: planned once per connection, found again by its name. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  readonly parse: (row: RawRow) => Row;
}

const textsByName = new Map<string, string>();
const namesByText = new Map<string, string>();

/**
 * Declares a prepared statement once, at module level, beside the function that uses it.
 *
 * @param definition.name unique in the process, at most 63 bytes
 * @param definition.text SQL with placeholders `$1`, `$2` …
 * @param definition.row a zod schema, or a function that maps the driver's row; leave it out when no rows come back
 */
export function defineStatement<Row>(definition: {
  name: string;
  text: string;
  row: (row: RawRow) => Row;
}): Statement<Row>;
export function defineStatement<Row>(definition: { name: string; text: string; row: z.ZodType<Row> }): Statement<Row>;
export function defineStatement(definition: { name: string; text: string }): Statement<never>;
export function defineStatement<Row>(definition: {
  name: string;
  text: string;
  row?: z.ZodType<Row> | ((row: RawRow) => Row);
}): Statement<Row> {
  const { name, text, row } = definition;
  if (Buffer.byteLength(name) > statementNameBytesMax) throw new Error(`Statement name too long: ${name}`);
  if ((textsByName.get(name) ?? text) !== text) throw new Error(`Two statements are named ${name}`);
  textsByName.set(name, text);
  namesByText.set(text, name);
  if (row === undefined) {
    return { name, text, parse: () => refuseRow(name) };
  }
  return { name, text, parse: typeof row === "function" ? row : (raw) => row.parse(raw) };
}

/** A query in the form that the driver takes. */
export function prepared({ name, text }: Statement<unknown>, values: readonly SqlValue[]): pg.QueryConfig {
  return { name, text, values: [...values] };
}

/**
 * SQL for the rows that arrays make, one parameter for each column from `$1` on: what goes after FROM.
 *
 * PostgreSQL plans a statement anew for every batch of fewer than ten rows when it can see how long the arrays are, and
 * that costs more than running it: 1.5 ms for READY, a quarter of all the processor time of a message. Behind a subquery
 * it does not see them, and plans once per connection.
 *
 * @param types PostgreSQL types of the columns, such as `uuid`
 */
export function rowsOfArrays(...types: readonly string[]): string {
  return `unnest(${types.map((type, index) => `(SELECT $${index + 1}::${type}[])`).join(", ")})`;
}

function refuseRow(name: string): never {
  throw new Error(`Statement ${name} returned a row but declares none`);
}

/** The name under which a declared statement's text is prepared; undefined for any other SQL. */
export function statementName(text: string): string | undefined {
  return namesByText.get(text);
}
