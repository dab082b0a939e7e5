import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Archive, type ArchiveRecord, accountName, type FormFile, type MessageRecord } from "@parley/archives";

const samples = fileURLToPath(new URL("../archives/", import.meta.url));
const contentMax = 4_000;
const filesMax = 10;

/** What a sample of section 32 must become: `golden.json` beside it. */
export interface Golden {
  counts: Record<string, number>;
  servers: { name: string | null; external_id: string | null }[];
  channels: {
    id: string;
    server: number;
    name: string;
    category: string | null;
    topic: string | null;
    private: boolean | null;
    archived: boolean;
    type: string;
    messages: number;
    roots: number;
  }[];
  people: {
    id: string;
    name: string | null;
    username_base: string;
    email: string | null;
    bot: boolean;
    deleted: boolean;
    messages: number;
  }[];
  roles: { name: string; color: string | null; permissions: number }[];
  emoji: { name: string; sha256: string }[];
  skipped: { kind: string; reason: string; count: number }[];
}

/** A sample archive of a source, and what must become of it. */
export function sampleArchive(source: string): { path: string; golden: Golden } {
  const folder = `${samples}${source}/`;
  const archive = readdirSync(folder).find((name) => name !== "golden.json") ?? "";
  if (!existsSync(folder + archive)) throw new Error(`There is no sample of ${source}.`);
  return { path: folder + archive, golden: JSON.parse(readFileSync(`${folder}golden.json`, "utf8")) as Golden };
}

type Kept = Extract<ArchiveRecord, { kind: "server" | "category" | "channel" | "role" | "person" | "emoji" }>;
type Beside = Extract<ArchiveRecord, { kind: "override" | "ban" | "invite" | "automod_rule" | "copy" }>;

/** Records that no figure counts. */
const isBeside = (record: ArchiveRecord): record is Beside =>
  ["override", "ban", "invite", "automod_rule", "copy"].includes(record.kind);

/** The records of an archive, as what stands in the database would be, with the figures of `golden.json`. */
export async function summarise(archive: Archive, records: AsyncIterable<ArchiveRecord>) {
  const kept = new Map<Kept["kind"], Map<string, Kept>>();
  const messages = new Map<string, MessageRecord>();
  const skipped = new Map<string, Golden["skipped"][number]>();
  const skip = (kind: string, reason: string, count = 1) => {
    const key = `${kind}: ${reason}`;
    skipped.set(key, { kind, reason, count: (skipped.get(key)?.count ?? 0) + count });
  };
  const all: ArchiveRecord[] = [];
  for await (const record of records) {
    all.push(record);
    if (record.kind === "skipped") skip(record.thing, record.reason, record.count);
    else if (record.kind === "message") {
      const known = messages.get(record.id);
      if (known === undefined || record.version >= known.version) messages.set(record.id, record);
    } else if (!isBeside(record)) {
      kept.set(record.kind, (kept.get(record.kind) ?? new Map<string, Kept>()).set(record.id, record));
    }
  }
  const ofKind = <K extends Kept["kind"]>(kind: K) =>
    [...(kept.get(kind)?.values() ?? [])] as Extract<ArchiveRecord, { kind: K }>[];

  const usernames = new Map(ofKind("person").map(({ id, username }) => [id, accountName(username)]));
  const channelNames = new Map(ofKind("channel").map(({ id, name }) => [id, name]));
  const emojiNames = new Map(
    ofKind("emoji").map(({ id, name }) => [
      id,
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9_]+/g, "_")
        .slice(0, 32),
    ]),
  );
  const textOf = ({ text }: MessageRecord) =>
    text
      .map((part) => {
        if (typeof part === "string") return part;
        if ("person" in part) return `${part.silent ? "" : "@"}${usernames.get(part.person) ?? "?"}`;
        if ("channel" in part) return `#${channelNames.get(part.channel) ?? "?"}`;
        return "emoji" in part ? `:${emojiNames.get(part.emoji) ?? "?"}:` : `@${part.everyone}`;
      })
      .join("");

  const counts: Record<string, number> = {};
  const count = (name: string, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  const stored: { id: string; channel: string; author: string | null; thread: string | null; content: string }[] = [];
  const fileBytes: Buffer[] = [];
  for (const message of messages.values()) {
    const files: FormFile[] = [];
    for (const file of message.files) {
      if (file.entry === null) skip("file", file.missing ?? "not in the archive");
      else {
        const bytes = await bytesOf(archive, file.entry);
        if (bytes.subarray(0, 2).toString("latin1") === "PK") skip("file", "type is not allowed");
        else {
          files.push(file);
          fileBytes.push(bytes);
        }
      }
    }
    let content = textOf(message);
    const isEmpty = content === "" && message.embeds.length === 0 && message.poll === null && message.event === null;
    if (isEmpty && files.length === 0) content = message.files.map(({ name }) => name).join("\n");
    if (message.replyTo !== null) {
      if (messages.has(message.replyTo)) count("replies");
      else skip("reply", "answered message is not in the archive");
    }
    const thread = message.thread !== null && messages.has(message.thread) ? message.thread : null;
    if (message.thread !== null && thread === null) skip("thread", "root is not in the archive");
    for (const { count: counted, people } of message.reactions) {
      count("reactions", people.length);
      if (counted > people.length) skip("reaction", "people are not in the archive", counted - people.length);
    }
    if (message.editedAt !== null) count("edited");
    if (message.pinned !== null) count("pins");
    count("embeds", message.embeds.length);
    if (message.poll !== null) {
      count("polls");
      const { namelessVotes } = message.poll;
      if (namelessVotes > 0) skip("poll_vote", "people are not in the archive", namelessVotes);
    }
    count("mentions", new Set(message.text.flatMap((part) => mentionOf(part))).size);
    const parts = Math.max(splitText(content).length, Math.ceil(files.length / filesMax), 1);
    if (parts > 1) count("split");
    const { id, channel, author } = message;
    for (const part of splitText(content)) stored.push({ id, channel, author, thread, content: part });
    for (let at = splitText(content).length; at < parts; at += 1)
      stored.push({ id, channel, author, thread, content: "" });
  }

  const servers = ofKind("server");
  const categories = new Map(ofKind("category").map(({ id, name }) => [id, name]));
  const messagesOf = (test: (message: (typeof stored)[number]) => boolean) => stored.filter(test).length;
  const channels = ofKind("channel").map((channel) => ({
    id: channel.id,
    server: servers.findIndex(({ id }) => id === channel.server),
    name: channel.name,
    category: channel.category === null ? null : (categories.get(channel.category) ?? "?"),
    topic: channel.topic,
    private: channel.private,
    archived: channel.archived,
    type: channel.type,
    messages: messagesOf((message) => message.channel === channel.id),
    roots: messagesOf((message) => message.channel === channel.id && message.thread === null),
  }));
  const people = ofKind("person").map((person) => ({
    id: person.id,
    name: person.name,
    username_base: accountName(person.username),
    email: person.email,
    bot: person.isBot,
    deleted: person.deleted,
    messages: messagesOf(({ author }) => author === person.id),
  }));
  const roles = ofKind("role")
    .filter(({ everyone }) => everyone !== true)
    .map(({ name, color, permissions }) => ({ name, color, permissions: Number(permissions) }));
  const emoji = await Promise.all(
    ofKind("emoji").map(async ({ id, file }) => ({
      name: emojiNames.get(id) ?? "?",
      sha256: createHash("sha256")
        .update(await bytesOf(archive, file.entry ?? ""))
        .digest("hex"),
    })),
  );
  const zeros = {
    thread_replies: 0,
    edited: 0,
    replies: 0,
    reactions: 0,
    pins: 0,
    mentions: 0,
    embeds: 0,
    polls: 0,
    split: 0,
  };
  const figures: Golden = {
    counts: {
      ...zeros,
      ...counts,
      servers: servers.length,
      categories: categories.size,
      channels: channels.length,
      people: people.length,
      roles: roles.length,
      emoji: emoji.length,
      messages: stored.length,
      thread_replies: messagesOf(({ thread }) => thread !== null),
      files: fileBytes.length,
      bytes: fileBytes.reduce((sum, { length }) => sum + length, 0),
      skipped: [...skipped.values()].reduce((sum, { count }) => sum + count, 0),
    },
    servers: servers.map(({ id, name }) => ({ name, external_id: id })),
    channels,
    people,
    roles,
    emoji,
    skipped: [...skipped.values()],
  };
  /** The message whose text contains these words; `text` is as it would be stored. */
  const messageWith = (words: string) => {
    const found = [...messages.values()].find((message) => textOf(message).includes(words));
    if (found === undefined) throw new Error(`No message has the words ${words}.`);
    return { ...found, content: textOf(found) };
  };
  return { figures, records: all, messages, messageWith, stored };
}

/** Figures and lists in an order of their own, so that two of them can be compared. */
export function comparable({ counts, servers, channels, people, roles, emoji, skipped }: Golden) {
  const byText = <T>(list: T[]) => [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    counts,
    servers,
    channels: byText(channels),
    people: byText(people),
    roles: byText(roles),
    emoji: byText(emoji),
    skipped: byText(skipped.map(({ kind, reason, count }) => ({ kind, reason, count }))),
  };
}

const mentionOf = (part: MessageRecord["text"][number]): string[] =>
  typeof part === "object" && "person" in part && part.silent !== true ? [part.person] : [];

async function bytesOf(archive: Archive, entry: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await archive.open(entry)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Cut at the last line end, else space, else exactly (section 32.3, text). */
function splitText(text: string): string[] {
  const parts: string[] = [];
  let rest = [...text];
  while (rest.length > contentMax) {
    const head = rest.slice(0, contentMax);
    const at = [head.lastIndexOf("\n"), head.lastIndexOf(" ")].find((place) => place > 0) ?? contentMax;
    parts.push(rest.slice(0, at).join(""));
    rest = rest.slice(at === contentMax ? at : at + 1);
  }
  return [...parts, rest.join("")];
}
