import type { SkippedKind, SkippedRecord } from "./form.js";

const exampleMax = 200;

/** Counts one thing without a place, or `count` of them. */
export function skipped(thing: SkippedKind, reason: string, example: string, count = 1): SkippedRecord {
  return {
    kind: "skipped",
    thing,
    reason,
    example: [...example.slice(0, 2 * exampleMax)].slice(0, exampleMax).join(""),
    count,
  };
}

/** Counts a record whose values cannot be read. */
export const unknownRecord = (example: string): SkippedRecord =>
  skipped("unknown_record", "a value cannot be read", example);

/** Counts a message of a conversation of two or few people. */
export const directMessage = (example: string): SkippedRecord =>
  skipped("direct_message", "private conversation", example);
