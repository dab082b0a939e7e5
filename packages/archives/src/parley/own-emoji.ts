import type { Archive } from "../archive.js";
import type { ArchiveRecord } from "../form.js";
import { skipped } from "../skipped.js";
import { parsedRecords } from "./entries.js";
import type { People } from "./people.js";
import { emojiSchema } from "./schema.js";

/** The emoji of an export that have pictures. */
export class OwnEmoji {
  /** Ids by their names. */
  readonly byName = new Map<string, string>();
  readonly ids = new Set<string>();

  async *read(archive: Archive, { server, people }: { server: string; people: People }): AsyncGenerator<ArchiveRecord> {
    for await (const found of parsedRecords(archive, "emoji.json", emojiSchema)) {
      if (found.kind === "skipped") {
        yield found;
        continue;
      }
      const { id, name, path, created_by: createdBy, created_at: createdAt } = found.value;
      const picture = archive.find(path);
      if (picture === undefined) {
        yield skipped("emoji", "picture is not in the archive", name);
        continue;
      }
      this.byName.set(name, id);
      this.ids.add(id);
      yield* people.strangers(createdBy);
      yield {
        kind: "emoji",
        id,
        server,
        name,
        file: { entry: picture.name, name, size: picture.size },
        ...(createdBy === null ? {} : { createdBy }),
        ...(createdAt === null ? {} : { createdAt }),
      };
    }
  }
}
