import { z } from "zod";
import type { Archive } from "../archive.js";
import type { CopyRecord, SkippedRecord } from "../form.js";
import { jsonLines } from "../json-records.js";
import { unknownRecord } from "../skipped.js";
import { id } from "./schema.js";

/** The file that the example `discord-mirror.mjs` of @parley/client keeps, wherever in the archive it was put. */
const mirrorFile = /(?:^|\/)parley-mirror\.jsonl$/i;

const line = z.object({
  from: z.enum(["discord", "parley"]),
  discord: z.object({ channel: id, message: id }),
  parley: z.object({ channel: z.uuid(), message: z.uuid() }),
});

/** The messages that a mirror has copied between the archive's server and one here. */
export async function* copiesIn(archive: Archive): AsyncGenerator<CopyRecord | SkippedRecord> {
  for (const { name } of archive.entries.filter((entry) => mirrorFile.test(entry.name))) {
    for await (const { line: place, value } of jsonLines(archive, name)) {
      const { data } = line.safeParse(value);
      if (data === undefined) yield unknownRecord(`${name}, record ${place}`);
      else {
        const { from, discord, parley } = data;
        yield {
          kind: "copy",
          id: discord.message,
          channel: discord.channel,
          here: parley,
          isOriginalHere: from === "parley",
        };
      }
    }
  }
}
