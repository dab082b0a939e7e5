import { ArchiveError } from "../archive.js";
import { cleanName, cleanText } from "../clean-text.js";
import type { ArchiveRecord, PersonRecord, SkippedRecord } from "../form.js";
import { skipped, unknownRecord } from "../skipped.js";
import type { Dump } from "./dump.js";
import { emojiSchema, type Room, roomSchema, uploadSchema, userSchema } from "./schema.js";

/** Uploads whose names are in memory. */
const maxUploads = 2_000_000;

/** @returns the external id of the server, which its first account gives */
export async function* readPeople(dump: Dump): AsyncGenerator<ArchiveRecord, string> {
  const people: PersonRecord[] = [];
  const unknown: SkippedRecord[] = [];
  for await (const { value, example } of dump.documents("users")) {
    const { data: user } = userSchema.safeParse(value);
    if (user === undefined) {
      unknown.push(unknownRecord(example));
      continue;
    }
    const { _id: id, username, name, emails, type, roles, active, createdAt } = user;
    const [address] = emails;
    const isBot = type === "bot" || type === "app" || roles.includes("bot");
    people.push({
      ...dump.people.add({ _id: id, username, name }, { isBot, deleted: active === false }),
      email: address?.address ?? null,
      emailVerified: address?.verified === true,
      createdAt,
    });
  }
  // The name and id of the workspace are settings, which are not read: its first account stands for it.
  const first = people
    .filter(({ isBot }) => !isBot)
    .reduce<PersonRecord | null>((a, b) => (isOlder(a, b) ? a : b), null);
  const server = first?.id ?? "rocketchat";
  yield { kind: "server", id: server, name: null };
  yield* people;
  yield* unknown;
  return server;
}

/** The channels, and a category for each team. Conversations and visitors' chats are noted alone. */
export async function* readRooms(dump: Dump, server: string): AsyncGenerator<ArchiveRecord> {
  const rooms: Room[] = [];
  for await (const { value, example } of dump.documents("rocketchat_room")) {
    const { data: room } = roomSchema.safeParse(value);
    if (room === undefined) yield unknownRecord(example);
    else if (room.t === "c" || room.t === "p") {
      dump.rooms.set(room._id, "channel");
      dump.roomNames.set(room._id, nameOf(room));
      rooms.push(room);
    } else dump.rooms.set(room._id, room.t === "d" ? "direct" : "visitor");
  }
  const teams = new Set<string>();
  for (const room of rooms) {
    if (room.teamId === null || room.teamMain !== true || teams.has(room.teamId)) continue;
    const category = { id: room.teamId, server, name: nameOf(room) };
    yield { kind: "category", ...category, position: teams.size };
    teams.add(room.teamId);
  }
  for (const [position, room] of rooms.entries()) {
    yield {
      kind: "channel",
      id: room._id,
      server,
      name: nameOf(room),
      type: "text",
      category: room.teamId !== null && teams.has(room.teamId) ? room.teamId : null,
      topic: cleanText(room.topic || room.description || "") || null,
      private: room.t === "p",
      archived: room.archived === true,
      position,
      createdAt: room.ts,
    };
  }
}

/** Emoji whose pictures are in the dump. */
export async function* readEmoji(dump: Dump, server: string): AsyncGenerator<ArchiveRecord> {
  const pictures = new Map<string, { id: string; name: string }>();
  for await (const { value, example } of dump.documents("rocketchat_custom_emoji")) {
    const { data: emoji } = emojiSchema.safeParse(value);
    if (emoji === undefined) {
      yield unknownRecord(example);
      continue;
    }
    const { _id: id, name, aliases, extension } = emoji;
    pictures.set(`${name}.${extension}`, { id, name });
    for (const each of [name, ...aliases]) dump.emoji.set(each, id);
  }
  await dump.collect("custom_emoji.chunks", (id) => pictures.has(id));
  for (const [picture, { id, name }] of pictures) {
    const file = dump.files.file(picture, picture, null);
    if (file.entry !== null) yield { kind: "emoji", id, server, name, file };
    else {
      for (const [each, known] of dump.emoji) if (known === id) dump.emoji.delete(each);
      yield skipped("emoji", "picture is not in the archive", name);
    }
  }
}

/** Notes the uploads, and puts their bytes aside. */
export async function readUploads(dump: Dump): Promise<void> {
  for await (const { value } of dump.documents("rocketchat_uploads")) {
    const { data: upload } = uploadSchema.safeParse(value);
    if (upload === undefined || upload.typeGroup === "thumb") continue;
    dump.uploads.set(upload._id, upload.size);
    if (dump.uploads.size > maxUploads) throw new ArchiveError(`The archive has more than ${maxUploads} uploads.`);
  }
  await dump.collect("rocketchat_uploads.chunks", (id) => dump.uploads.has(id));
}

const nameOf = ({ _id, name, fname }: Room): string => cleanName(fname || name || "") || _id;

const isOlder = (a: PersonRecord | null, b: PersonRecord): boolean =>
  a !== null && ((a.createdAt ?? 0) < (b.createdAt ?? 0) || (a.createdAt === b.createdAt && a.id < b.id));
