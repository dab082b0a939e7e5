import type { z } from "zod";
import type { Archive } from "../archive.js";
import type { SkippedRecord } from "../form.js";
import { jsonLines, jsonRecords } from "../json-records.js";
import { unknownRecord } from "../skipped.js";

/** A record of an entry that has the values which it should have, or what is counted for one that has not. */
export type Parsed<Value> = { kind: "value"; value: Value } | SkippedRecord;

/**
 * The records of an entry; none where the archive has no such entry.
 *
 * @throws ArchiveError at a wrong syntax
 */
export async function* parsedRecords<Schema extends z.ZodType>(
  archive: Archive,
  entry: string,
  schema: Schema,
): AsyncGenerator<Parsed<z.output<Schema>>> {
  for await (const { place, value } of records(archive, entry)) {
    const parsed = schema.safeParse(value);
    yield parsed.success ? { kind: "value", value: parsed.data } : unknownRecord(`${entry}, record ${place}`);
  }
}

async function* records(archive: Archive, entry: string): AsyncGenerator<{ place: number; value: unknown }> {
  if (archive.find(entry) === undefined) return;
  if (entry.endsWith(".jsonl")) {
    for await (const { line, value } of jsonLines(archive, entry)) yield { place: line, value };
  } else {
    for await (const { place, value } of jsonRecords(archive, entry)) yield { place: place ?? 1, value };
  }
}

export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}
