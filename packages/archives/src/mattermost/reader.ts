import { type Archive, ArchiveError, type Entry, type Reader } from "../archive.js";
import { jsonLines } from "../json-records.js";
import { Installation } from "./installation.js";
import { Posts } from "./posts.js";
import { lineSchema } from "./schema.js";
import { type Line, recordOf } from "./structure.js";

const version = 1;

/**
 * Reads Mattermost's bulk JSON lines. The archive is read twice: emoji stand behind the posts in older ones, and nothing
 * but a post says in which team an emoji of the installation is in use.
 */
export const mattermostReader: Reader = {
  source: "mattermost",
  async recognises(archive) {
    for (const { name } of lists(archive)) {
      try {
        for await (const { value } of jsonLines(archive, name)) {
          if (lineSchema.safeParse(value).data?.type === "version") return true;
          break;
        }
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
      }
    }
    return false;
  },
  async *read(archive) {
    const installation = new Installation(archive);
    let position = 0;
    for await (const line of linesOf(archive)) {
      if (line.type === "post") {
        installation.emoji.notice(line.value);
        continue;
      }
      const record = recordOf(installation, line, position);
      if (record !== null) yield record;
      position += 1;
    }
    yield* installation.emoji.records([...installation.teams]);
    const posts = new Posts(installation);
    for await (const line of linesOf(archive)) if (line.type === "post") yield* posts.records(line);
  },
};

const lists = ({ entries }: Archive): Entry[] =>
  entries.filter(({ name }) => name.toLowerCase().endsWith(".jsonl") && !name.startsWith("data/"));

async function* linesOf(archive: Archive): AsyncGenerator<Line> {
  for (const { name } of lists(archive)) {
    let isFirst = true;
    for await (const { line, value } of jsonLines(archive, name)) {
      const { data } = lineSchema.safeParse(value);
      const example = `${name}, record ${line}`;
      if (isFirst && (data?.type !== "version" || data.version !== version)) {
        throw new ArchiveError(`${example}: only version ${version} of the format is read.`);
      }
      isFirst = false;
      yield { type: data?.type ?? "", value: data?.[data.type], example };
    }
  }
}
