import { type Archive, ArchiveError, type Reader } from "../archive.js";
import { cleanName, cleanText } from "../clean-text.js";
import { rocketchatEmoji } from "../emoji-names.js";
import type { ArchiveRecord, MessageRecord, PersonRecord, SkippedRecord } from "../form.js";
import type { FormReaction, FormText, TextPart } from "../form-parts.js";
import { checkMongoArchive } from "../open/mongo-archive.js";
import type { PostedEmbed } from "../posts/posted-message.js";
import { slackEmbeds } from "../posts/slack.js";
import { createConvertMarkup } from "../posts/slack-markup.js";
import { slackAttachment } from "../posts/slack-payload.js";
import { storedEmbeds } from "../posts/stored-embeds.js";
import { directMessage, skipped, unknownRecord } from "../skipped.js";
import { isBlankText } from "../text-parts.js";
import { bsonDocuments } from "./bson-documents.js";
import { GridFiles } from "./grid-files.js";
import {
  emojiSchema,
  messageSchema,
  type NamedFile,
  type NamedPerson,
  type RocketMessage,
  type Room,
  roomSchema,
  uploadSchema,
  userSchema,
} from "./schema.js";
import { systemMessage } from "./system-messages.js";
import { rocketchatText } from "./text.js";

/** People and uploads whose names are in memory. */
const maxPeople = 500_000;
const maxUploads = 2_000_000;
/** Entries of an archive that may be a dump in one file. */
const dumpEntriesMax = 5;

const messagesEntry = /^(?:.*\/)?rocketchat_message\.bson(?:\.gz)?$/;
/** The beginning of a message that answers another one. */
const answer = /^\[ ?\]\(https?:\/\/[^\s)]*[?&]msg=([^\s)&]+)[^\s)]*\)[ \n]?/;
const cat = "rocket.cat";

/** Reads a `mongodump` of Rocket.Chat. Of its users neither passwords nor tokens are read, and no settings. */
export const rocketchatReader: Reader = {
  source: "rocketchat",
  async recognises(archive) {
    if (archive.entries.length <= dumpEntriesMax) {
      for (const { name } of archive.entries) checkMongoArchive(await beginningOf(archive, name));
    }
    return archive.entries.some(({ name }) => messagesEntry.test(name));
  },
  async provideFiles(archive) {
    const reading = readingOf(archive);
    for await (const _ of reading.emoji());
    await reading.uploads();
  },
  async *read(archive) {
    const reading = readingOf(archive);
    yield* reading.people();
    yield* reading.rooms();
    yield* reading.emoji();
    await reading.uploads();
    yield* reading.messages();
  },
};

function readingOf(archive: Archive): Reading {
  const found = archive.entries.find(({ name }) => messagesEntry.test(name))?.name ?? "";
  return new Reading(archive, found.slice(0, found.lastIndexOf("/") + 1));
}

async function beginningOf(archive: Archive, name: string): Promise<Buffer> {
  for await (const chunk of await archive.open(name)) return chunk as Buffer;
  return Buffer.alloc(0);
}

type Known = { username: string; isBot: boolean };

class Reading {
  readonly #archive: Archive;
  readonly #folder: string;
  readonly #files: GridFiles;
  #server = "rocketchat";
  readonly #people = new Map<string, Known>();
  readonly #byUsername = new Map<string, string>();
  readonly #rooms = new Map<string, "channel" | "direct" | "visitor">();
  /** Ids by names and aliases. */
  readonly #emoji = new Map<string, string>();
  readonly #uploads = new Map<string, number | null>();

  /** @param folder of the database, with `/` */
  constructor(archive: Archive, folder: string) {
    this.#archive = archive;
    this.#folder = folder;
    this.#files = new GridFiles(archive);
  }

  async *people(): AsyncGenerator<ArchiveRecord> {
    const people: PersonRecord[] = [];
    const unknown: SkippedRecord[] = [];
    for await (const { value, example } of this.#documents("users")) {
      const { data: user } = userSchema.safeParse(value);
      if (user === undefined) {
        unknown.push(unknownRecord(example));
        continue;
      }
      const { _id: id, username, name, emails, type, roles, active, createdAt } = user;
      const [address] = emails;
      const isBot = type === "bot" || type === "app" || roles.includes("bot");
      people.push({
        ...this.#person({ _id: id, username, name }, { isBot, deleted: active === false }),
        email: address?.address ?? null,
        emailVerified: address?.verified === true,
        createdAt,
      });
    }
    // The name and id of the workspace are settings, which are not read: its first account stands for it.
    const first = people
      .filter(({ isBot }) => !isBot)
      .reduce<PersonRecord | null>((a, b) => (isOlder(a, b) ? a : b), null);
    if (first !== null) this.#server = first.id;
    yield { kind: "server", id: this.#server, name: null };
    yield* people;
    yield* unknown;
  }

  async *rooms(): AsyncGenerator<ArchiveRecord> {
    const rooms: Room[] = [];
    for await (const { value, example } of this.#documents("rocketchat_room")) {
      const { data: room } = roomSchema.safeParse(value);
      if (room === undefined) yield unknownRecord(example);
      else if (room.t === "c" || room.t === "p") {
        this.#rooms.set(room._id, "channel");
        rooms.push(room);
      } else this.#rooms.set(room._id, room.t === "d" ? "direct" : "visitor");
    }
    const teams = new Set<string>();
    for (const room of rooms) {
      if (room.teamId === null || room.teamMain !== true || teams.has(room.teamId)) continue;
      const category = { id: room.teamId, server: this.#server, name: nameOf(room) };
      yield { kind: "category", ...category, position: teams.size };
      teams.add(room.teamId);
    }
    for (const [position, room] of rooms.entries()) {
      yield {
        kind: "channel",
        id: room._id,
        server: this.#server,
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

  async *emoji(): AsyncGenerator<ArchiveRecord> {
    const pictures = new Map<string, { id: string; name: string }>();
    for await (const { value, example } of this.#documents("rocketchat_custom_emoji")) {
      const { data: emoji } = emojiSchema.safeParse(value);
      if (emoji === undefined) {
        yield unknownRecord(example);
        continue;
      }
      const { _id: id, name, aliases, extension } = emoji;
      pictures.set(`${name}.${extension}`, { id, name });
      for (const each of [name, ...aliases]) this.#emoji.set(each, id);
    }
    await this.#collect("custom_emoji.chunks", (id) => pictures.has(id));
    for (const [picture, { id, name }] of pictures) {
      const file = this.#files.file(picture, picture, null);
      if (file.entry !== null) yield { kind: "emoji", id, server: this.#server, name, file };
      else {
        for (const [each, known] of this.#emoji) if (known === id) this.#emoji.delete(each);
        yield skipped("emoji", "picture is not in the archive", name);
      }
    }
  }

  async uploads(): Promise<void> {
    for await (const { value } of this.#documents("rocketchat_uploads")) {
      const { data: upload } = uploadSchema.safeParse(value);
      if (upload === undefined || upload.typeGroup === "thumb") continue;
      this.#uploads.set(upload._id, upload.size);
      if (this.#uploads.size > maxUploads) throw new ArchiveError(`The archive has more than ${maxUploads} uploads.`);
    }
    await this.#collect("rocketchat_uploads.chunks", (id) => this.#uploads.has(id));
  }

  async *messages(): AsyncGenerator<ArchiveRecord> {
    for await (const { value, example } of this.#documents("rocketchat_message")) {
      const { data: message } = messageSchema.safeParse(value);
      if (message === undefined) {
        yield unknownRecord(example);
        continue;
      }
      const { _id: id, rid, t: type } = message;
      const room = this.#rooms.get(rid);
      if (room === undefined) yield skipped("message", "channel is not in the archive", id);
      else if (room === "direct") yield directMessage(rid);
      else if (room === "visitor") yield skipped("message", "of a visitor's chat (omnichannel)", rid);
      else if (message._hidden === true) yield skipped("message", "older version", id);
      else if (type === "e2e") yield skipped("message", "end-to-end encrypted", rid);
      else if (type === "rm" && (message.tcount ?? 0) === 0) yield skipped("message", "deleted", id);
      else if (type === "rm") yield { ...this.#empty(message), text: ["Message removed"] };
      else if (type !== null && type !== "") yield skipped("system_message", systemMessage(type), id);
      else yield* this.#message(message);
    }
  }

  #empty({ _id: id, rid, ts, _updatedAt, editedAt, tmid }: RocketMessage): MessageRecord {
    return {
      kind: "message",
      id,
      channel: rid,
      at: ts,
      version: _updatedAt ?? editedAt ?? ts,
      author: null,
      text: [],
      editedAt,
      replyTo: null,
      thread: tmid === id ? null : tmid,
      reactions: [],
      pinned: null,
      embeds: [],
      poll: null,
      event: null,
      files: [],
    };
  }

  *#message(message: RocketMessage): Generator<ArchiveRecord> {
    const own = this.#empty(message);
    yield* this.#author(own, message);
    const { pinned, pinnedAt, pinnedBy } = message;
    if (pinned === true) {
      if (pinnedBy !== null) yield* this.#stranger(pinnedBy);
      own.pinned = { at: pinnedAt, by: pinnedBy?._id ?? null };
    }
    let msg = message.msg ?? "";
    for (let found = answer.exec(msg); found !== null; found = answer.exec(msg)) {
      own.replyTo ??= found[1] ?? null;
      msg = msg.slice(found[0].length);
    }
    own.text = this.#text(msg, message);
    yield* this.#attached(own, message);
    const files = message.files.length > 0 ? message.files : message.file === null ? [] : [message.file];
    own.files = files.filter(({ typeGroup }) => typeGroup !== "thumb").map((file) => this.#file(file));
    for (const { url, meta } of message.urls) {
      if (meta !== null && Object.keys(meta).length > 0) yield skipped("link_preview", "made by Rocket.Chat", url);
    }
    if (isBlankText(own.text) && own.embeds.length === 0 && own.files.length === 0) {
      yield skipped("message", "empty", own.id);
      return;
    }
    for (const [name, { usernames }] of Object.entries(message.reactions ?? {})) {
      const reaction = this.#reaction(name.replace(/^:|:$/g, ""), usernames);
      if (reaction === null) yield skipped("reaction", "unknown emoji", name, Math.max(usernames.length, 1));
      else own.reactions.push(reaction);
    }
    yield own;
  }

  #text(msg: string, { mentions, channels }: RocketMessage): FormText {
    const people = new Map<string, TextPart>();
    for (const { _id: id, username } of mentions) {
      if (id === "all" || id === "here") people.set(id, { everyone: id === "all" ? "everyone" : "here" });
      else if (username && this.#people.has(id)) people.set(username, { person: id });
    }
    const named = new Map<string, TextPart>();
    for (const { _id: id, name } of channels) {
      if (name && this.#rooms.get(id) === "channel") named.set(name, { channel: id });
    }
    return rocketchatText(msg, { people, channels: named, emoji: (name) => this.#emoji.get(name) });
  }

  /** Sets the author, and yields one whom no list has: a name that an integration, or a deleted account, had. */
  *#author(own: MessageRecord, { u, alias, bot }: RocketMessage): Generator<PersonRecord> {
    const name = cleanName(alias ?? "");
    const isBot = bot !== undefined && bot !== null && bot !== false;
    if (name !== "" && (isBot || u?._id === cat)) {
      yield* this.#stranger({ _id: `alias/${name}`, username: name, name }, { isBot, deleted: !isBot });
      own.author = `alias/${name}`;
    } else if (u !== null) {
      yield* this.#stranger(u);
      own.author = u._id;
      if (name !== "" && this.#people.get(u._id)?.isBot === true) own.webhookName = name;
    }
  }

  *#stranger(person: NamedPerson, kind = { isBot: false, deleted: true }): Generator<PersonRecord> {
    if (!this.#people.has(person._id)) yield this.#person(person, kind);
  }

  #person(
    { _id: id, username, name }: NamedPerson,
    { isBot, deleted }: Pick<PersonRecord, "isBot" | "deleted">,
  ): PersonRecord {
    this.#people.set(id, { username: username ?? "", isBot });
    if (username && !this.#byUsername.has(username)) this.#byUsername.set(username, id);
    if (this.#people.size > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
    return {
      kind: "person",
      id,
      name: cleanName(name || username || "") || "user",
      username: username ?? "",
      email: null,
      emailVerified: false,
      isBot,
      deleted,
      avatar: null,
      roles: [],
      createdAt: null,
    };
  }

  /** Captions of files, embeds of bots, and cards of links, which are counted. */
  *#attached(own: MessageRecord, message: RocketMessage): Generator<SkippedRecord> {
    const isBot = this.#people.get(own.author ?? "")?.isBot === true;
    const convert = createConvertMarkup();
    const posted: PostedEmbed[] = [];
    const captions: string[] = [];
    for (const attachment of message.attachments) {
      const { message_link, type, fileId, title_link, description } = attachment;
      if (message_link !== null) continue;
      if (type === "file" || fileId !== null || title_link?.startsWith("/file-upload/") === true) {
        if (description) captions.push(description);
      } else if (isBot) {
        const { data } = slackAttachment.safeParse(attachment);
        if (data !== undefined) posted.push(...slackEmbeds(data, convert));
      } else yield skipped("link_preview", "made by Rocket.Chat", own.id);
    }
    own.embeds = storedEmbeds(posted);
    if (isBlankText(own.text)) own.text = this.#text(captions.join("\n"), message);
  }

  #file({ _id: id, name }: NamedFile) {
    const shownName = cleanName(name ?? "") || "file";
    return this.#uploads.has(id)
      ? this.#files.file(id, shownName, this.#uploads.get(id) ?? null)
      : { entry: null, name: shownName, size: 0 };
  }

  #reaction(name: string, usernames: readonly string[]): FormReaction | null {
    const people = [...new Set(usernames.flatMap((username) => this.#byUsername.get(username) ?? []))];
    const counted = { count: Math.max(usernames.length, people.length), people };
    const own = this.#emoji.get(name);
    if (own !== undefined) return { emoji: { own }, ...counted };
    const unicode = rocketchatEmoji(name);
    return unicode === null ? null : { emoji: { unicode }, ...counted };
  }

  /** The entry of a collection. */
  #entry(collection: string): string | undefined {
    const names = [`${this.#folder}${collection}.bson`, `${this.#folder}${collection}.bson.gz`];
    return names.find((name) => this.#archive.find(name) !== undefined);
  }

  async #collect(collection: string, isWanted: (id: string) => boolean): Promise<void> {
    const entry = this.#entry(collection);
    if (entry !== undefined) await this.#files.collect(entry, isWanted);
  }

  async *#documents(collection: string): AsyncGenerator<{ value: unknown; example: string }> {
    const entry = this.#entry(collection);
    if (entry === undefined) return;
    for await (const { place, value } of bsonDocuments(this.#archive, entry)) {
      yield { value, example: `${entry}, record ${place}` };
    }
  }
}

const nameOf = ({ _id, name, fname }: Room): string => cleanName(fname || name || "") || _id;

const isOlder = (a: PersonRecord | null, b: PersonRecord): boolean =>
  a !== null && ((a.createdAt ?? 0) < (b.createdAt ?? 0) || (a.createdAt === b.createdAt && a.id < b.id));
