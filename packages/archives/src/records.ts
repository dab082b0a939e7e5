import type { Archive, Reader } from "./archive.js";
import type { ArchiveRecord } from "./form.js";
import type { FormReaction } from "./form-parts.js";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * What a reader yields, without messages of impossible times: before 1970 or after tomorrow (section 32.3, identifiers).
 * Each emoji stands once under a message, also where the source has several names for it.
 *
 * @throws ArchiveError at a wrong syntax
 */
export async function* readRecords(reader: Reader, archive: Archive): AsyncGenerator<ArchiveRecord> {
  const tomorrow = Date.now() + dayMs;
  for await (const record of reader.read(archive)) {
    if (record.kind === "message" && !(record.at >= 0 && record.at <= tomorrow)) {
      yield {
        kind: "skipped",
        thing: "unknown_record",
        reason: "time is out of range",
        example: record.id.slice(0, 200),
      };
    } else if (record.kind === "message" && record.reactions.length > 1) {
      yield { ...record, reactions: mergedReactions(record.reactions) };
    } else yield record;
  }
}

function mergedReactions(reactions: readonly FormReaction[]): FormReaction[] {
  const merged = new Map<string, FormReaction>();
  for (const { emoji, count, people } of reactions) {
    const key = "own" in emoji ? `own ${emoji.own}` : emoji.unicode;
    const known = merged.get(key);
    const nameless = (known === undefined ? 0 : known.count - known.people.length) + count - people.length;
    const named = [...new Set([...(known?.people ?? []), ...people])];
    merged.set(key, { emoji, count: named.length + nameless, people: named });
  }
  return [...merged.values()];
}
