import type { SkippedKind } from "@parley/archives";
import type { ImportReport } from "../core/schema.js";

/** Different reasons of one archive; above that the rest of a kind has one. */
const reasonsMax = 1_000;
const exampleLengthMax = 200;

/** Counts of what has no place, by kind and reason, in the order of the first ones. */
export class SkippedThings {
  readonly #things = new Map<string, ImportReport["skipped"][number]>();

  constructor(before: ImportReport["skipped"] = []) {
    for (const { kind, reason, example, count } of before) this.add(kind, reason, example, count);
  }

  add(kind: SkippedKind, reason: string, example: string, count = 1): void {
    const why = this.#things.size < reasonsMax ? reason.slice(0, exampleLengthMax) : "other reasons";
    const key = `${kind} ${why}`;
    const thing = this.#things.get(key);
    if (thing === undefined)
      this.#things.set(key, { kind, reason: why, count, example: [...example].slice(0, exampleLengthMax).join("") });
    else thing.count += count;
  }

  list(): ImportReport["skipped"] {
    return [...this.#things.values()];
  }
}
