import { defineStatement } from "@parley/database";
import { rangeOf } from "../ids/snowflake.js";
import type { Reading } from "./context.js";
import type { Place } from "./place.js";

/** Where the messages of a place are, and by which index they are found. */
const tables = {
  channel: { table: "messages", where: "channel_id = $1::uuid AND listed" },
  thread: { table: "messages", where: "thread_id = $1::uuid AND NOT deleted" },
  direct: { table: "dm_messages", where: "channel_id = $1::uuid" },
} as const;

/** `$2` is an identifier between two messages: the time in it is that of the order. */
const place = "(uuid_extract_timestamp($2::uuid), $2::uuid)";
const statementOf = (kind: Place["kind"], direction: "next" | "previous") => {
  const { table, where } = tables[kind];
  const [compare, order] = direction === "next" ? [">=", "ASC"] : ["<=", "DESC"];
  return defineStatement({
    name: `discord_${direction}_in_${kind}`,
    text: `SELECT id FROM ${table} WHERE ${where} AND (created_at, id) ${compare} ${place}
      ORDER BY created_at ${order}, id ${order} LIMIT 1 OFFSET $3`,
    row: (row) => String(row.id),
  });
};
const kinds = ["channel", "thread", "direct"] as const;
const statements = {
  next: new Map(kinds.map((kind) => [kind, statementOf(kind, "next")])),
  previous: new Map(kinds.map((kind) => [kind, statementOf(kind, "previous")])),
};

/** The message of a place at a snowflake or next to it, so that every snowflake is a place in the history. */
async function neighbour(
  database: Reading,
  { kind, id }: Place,
  direction: "next" | "previous",
  at: string,
  offset = 0,
): Promise<string | null> {
  const statement = statements[direction].get(kind);
  const [found] = statement === undefined ? [] : await database.query(statement, [id, at, offset]);
  return found ?? null;
}

const epoch = "1970-01-01T00:00:00.000Z";
const newest = "ffffffff-ffff-7fff-bfff-ffffffffffff";

/** Query of the api for the messages before a snowflake; without a message from there on, the newest ones. */
export async function beforeQuery(database: Reading, place: Place, snowflake: string) {
  const range = rangeOf(snowflake);
  const before = range === null ? null : await neighbour(database, place, "next", range.from);
  return before === null ? {} : { before };
}

/** Query for those behind a snowflake. */
export async function afterQuery(database: Reading, place: Place, snowflake: string) {
  const range = rangeOf(snowflake);
  const after = range === null ? null : await neighbour(database, place, "previous", range.to);
  return after === null ? { since: epoch } : { after };
}

/** Query for so many replies of a thread before a snowflake: the api lists them from the oldest on. */
export async function threadQuery(database: Reading, place: Place, before: string | null, limit: number) {
  const range = before === null ? null : rangeOf(before);
  const at = range === null ? newest : range.from;
  const after = await neighbour(database, place, "previous", at, limit);
  return after === null ? {} : { after };
}
