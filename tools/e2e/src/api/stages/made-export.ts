import { randomBytes } from "node:crypto";
import { zipOf } from "@parley/testing/zips";

type Thing = Record<string, unknown> & { id: string };

/** An export of this service that a test makes up, and may change before it is packed once more. */
export interface MadeExport {
  server: Thing & { name: string };
  people: (Record<string, unknown> & { user_id: string; username: string })[];
  channels: (Thing & { name: string })[];
  roles: Thing[];
  overrides: Record<string, unknown>[];
  /** By the ids of their channels. */
  messages: Map<string, (Thing & { content: string })[]>;
}

let made = 0;
const begun = Date.parse("2024-01-09T06:57:33.755Z");
/** Something of the past: its id and its time, a second after that of the thing before. */
export function madeThing() {
  made += 1;
  const at = begun + made * 1_000;
  const random = randomBytes(9).toString("hex");
  const hex = at.toString(16).padStart(12, "0");
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`;
  return { id, created_at: new Date(at).toISOString() };
}

/** Two people, and channels with two messages each; the names of channels are given. */
export function madeExport(names: readonly string[]): MadeExport {
  const server = { ...madeThing(), name: "Made up" };
  const people = ["Ann", "Bob"].map((name) => {
    const { id, created_at } = madeThing();
    return { user_id: id, username: `${name}_${id.slice(-6)}`, nickname: name, joined_at: created_at };
  });
  const channels = names.map((name) => ({ ...madeThing(), name, type: "text", category: null, topic: null }));
  const messages = new Map(
    channels.map(({ id }) => [
      id,
      people.map(({ user_id, nickname }) => ({ ...madeThing(), author_id: user_id, content: `from ${nickname}` })),
    ]),
  );
  return { server, people, channels, roles: [], overrides: [], messages };
}

/** @param files those of the messages, by the paths that the messages name */
export function packExport(
  { server, people, channels, roles, overrides, messages }: MadeExport,
  files: readonly { name: string; bytes: string }[] = [],
): Buffer {
  const json = { server, channels, roles, members: people, overrides };
  return zipOf([
    ...files,
    ...Object.entries(json).map(([name, value]) => ({ name: `${name}.json`, bytes: JSON.stringify(value) })),
    ...[...messages].map(([id, list]) => ({
      name: `messages/${id}.jsonl`,
      bytes: list.map((message) => `${JSON.stringify(message)}\n`).join(""),
    })),
  ]);
}
