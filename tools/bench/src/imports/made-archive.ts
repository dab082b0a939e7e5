import { readdir, readFile } from "node:fs/promises";
import type { MadeEntry } from "@parley/testing/zips";

const peopleCount = 1_000;
const messagesOfChannel = 10_000;
const begunAt = Date.parse("2024-01-01T00:00:00.000Z");

/** An id of a time; `kind` tells things of one time apart. */
function idAt(at: number, kind: number): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${kind.toString(16).padStart(12, "0")}`;
}

/** The entries of a whole export. Its messages are a second apart. */
export function madeArchive(sizes: { messages: number; reactions: number; files: number }): MadeEntry[] {
  const { messages, reactions, files } = sizes;
  const created_at = new Date(begunAt).toISOString();
  const people = Array.from({ length: peopleCount }, (_, at) => ({
    id: idAt(begunAt, 1_000 + at),
    username: `bench_${at}`,
    name: `Bench ${at}`,
    is_bot: false,
    created_at,
  }));
  const channelCount = Math.ceil(messages / messagesOfChannel);
  const channels = Array.from({ length: channelCount }, (_, at) => ({
    ...{ id: idAt(begunAt, 500_000 + at), name: `channel-${at}`, type: "text" },
    ...{ category: null, topic: null, created_at },
  }));
  const json = (name: string, value: unknown) => ({ name, bytes: JSON.stringify(value) });
  const lines = (name: string, values: readonly unknown[]) => ({
    name,
    bytes: values.map((value) => `${JSON.stringify(value)}\n`).join(""),
  });
  const entries: MadeEntry[] = [
    json("server.json", { id: idAt(begunAt, 1), name: "Bench" }),
    json("channels.json", channels),
    ...["roles", "members"].map((name) => json(`${name}.json`, [])),
    lines("people.jsonl", people),
  ];
  const message = (number: number) => {
    const author = people[number % peopleCount];
    const at = begunAt + number * 1_000;
    const path = `files/${number}/note.txt`;
    const bytes = `file ${number} `.repeat(50);
    const hasFile = number < files;
    if (hasFile) entries.push({ name: path, bytes });
    return {
      id: idAt(at, 2),
      author_id: author?.id,
      content: `message ${number}: the quick brown fox jumps over the lazy dog, and then it rests for a while`,
      created_at: new Date(at).toISOString(),
      reactions: number < reactions ? [{ emoji: "👍", people: [people[(number + 1) % peopleCount]?.id] }] : [],
      attachments: hasFile ? [{ filename: "note.txt", file_size: bytes.length, path }] : [],
    };
  };
  for (const [index, { id }] of channels.entries()) {
    const from = index * messagesOfChannel;
    const count = Math.min(messagesOfChannel, messages - from);
    const list = Array.from({ length: count }, (_, at) => message(from + at));
    entries.push(lines(`messages/${id}.jsonl`, list));
  }
  return entries;
}

/** The process that works on an import; undefined without one. */
export async function findImporter(importId: string): Promise<number | undefined> {
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (command.split("\0").includes(importId)) return Number(name);
  }
  return undefined;
}
