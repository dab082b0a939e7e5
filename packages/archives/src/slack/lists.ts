import type { Archive } from "../archive.js";
import { jsonRecords } from "../json-records.js";

/** The records of these lists, as far as the archive has them. */
export async function* recordsIn(
  archive: Archive,
  ...names: readonly string[]
): AsyncGenerator<{ value: unknown; example: string }> {
  for (const name of names) {
    if (archive.find(name) === undefined) continue;
    for await (const { key, place, value } of jsonRecords(archive, name)) {
      // A list that is an object is wrong: each of its members counts as a record that cannot be read.
      yield key === null
        ? { value, example: `${name}, record ${place}` }
        : { value: undefined, example: `${name}, ${key}` };
    }
  }
}
