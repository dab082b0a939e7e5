import { createHash } from "node:crypto";
import { type Archive, ArchiveError, type Entry, type Reader } from "../archive.js";
import { cleanName, cleanText } from "../clean-text.js";
import { emojiOfCode } from "../emoji-names.js";
import { emptyMessage } from "../empty-message.js";
import type { ArchiveRecord, MessageRecord, PersonRecord, SkippedRecord } from "../form.js";
import type { FormFile, FormReaction } from "../form-parts.js";
import { jsonRecords } from "../json-records.js";
import { maxPeople } from "../open/limits.js";
import { directMessage, skipped, unknownRecord } from "../skipped.js";
import { isBlankText } from "../text-parts.js";
import { zulipEmoji } from "./emoji.js";
import { pollOf, wasEdited } from "./message-parts.js";
import type { ReactionKind } from "./reactions.js";
import { Realm } from "./realm.js";
import { messageSchema, recordSchema, type ZulipMessage } from "./schema.js";
import { systemMessage } from "./system-messages.js";
import { type ZulipNames, zulipText } from "./text.js";
import { withoutUploads } from "./uploads.js";

/** Topics whose names are in memory. */
const maxTopics = 1_000_000;

const messagesEntry = /^messages-\d+\.json$/;
const noticesOf = "notification-bot@zulip.com";
const resolved = /^✔\s*/;

/** Reads Zulip's export. Messages are read twice: first which one began each topic. */
export const zulipReader: Reader = {
  source: "zulip",
  recognises: async ({ find, entries }) =>
    find("realm.json") !== undefined && entries.some(({ name }) => messagesEntry.test(name)),
  async *read(archive) {
    const reading = new Reading(archive);
    yield* reading.realm();
    yield* reading.places();
    yield* reading.people();
    yield* reading.emoji();
    const entries = archive.entries.map(({ name }) => name).filter((name) => messagesEntry.test(name));
    entries.sort();
    for (const entry of entries) await reading.findRoots(entry);
    reading.readNames();
    for (const entry of entries) yield* reading.messages(entry);
  },
};

interface Root {
  at: number;
  id: number;
}

class Reading {
  readonly #archive: Archive;
  readonly #realm = new Realm();
  readonly #people = new Set<string>();
  /** Null for a name of several. */
  readonly #byName = new Map<string, string | null>();
  readonly #channels = new Map<string, string>();
  /** Own emoji with pictures: ids by names. */
  readonly #emojiByName = new Map<string, string>();
  readonly #emojiIds = new Set<string>();
  readonly #roots = new Map<string, Root>();
  #emojiNames: ReturnType<typeof zulipEmoji> = zulipEmoji([]);

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  realm(): AsyncGenerator<ArchiveRecord> {
    return this.#realm.read(this.#archive);
  }

  async *places(): AsyncGenerator<ArchiveRecord> {
    const icons = await this.#records("realm_icons");
    const icon = icons.find(({ path }) => path.endsWith("/icon.png"));
    const picture = icon && this.#stored("realm_icons", icon.path);
    yield {
      kind: "server",
      id: this.#realm.server,
      name: this.#realm.serverName,
      ...(picture && { icon: { entry: picture.name, name: "icon", size: picture.size } }),
    };
    const folders = this.#realm.folders.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
    for (const [position, { id, name }] of folders.entries()) {
      yield { kind: "category", id, server: this.#realm.server, name: cleanName(name) || "category", position };
    }
    const categories = new Set(folders.map(({ id }) => id));
    for (const [position, stream] of this.#realm.streams.entries()) {
      const { id, name, description, folder } = stream;
      this.#channels.set(name, id);
      yield {
        kind: "channel",
        id,
        server: this.#realm.server,
        name: cleanName(name) || "channel",
        type: "text",
        category: folder !== null && categories.has(folder) ? folder : null,
        topic: cleanText(description ?? "") || null,
        private: stream.invite_only === true,
        archived: stream.deactivated === true,
        position,
        createdAt: stream.date_created,
      };
    }
  }

  async *people(): AsyncGenerator<ArchiveRecord> {
    const avatars = new Map<string, Entry>();
    for (const { path, user_profile_id } of await this.#records("avatars")) {
      const entry = this.#stored("avatars", path);
      if (user_profile_id !== null && entry !== undefined && !avatars.has(user_profile_id)) {
        avatars.set(user_profile_id, entry);
      }
    }
    for (const { user, isDummy } of this.#realm.users) {
      const avatar = avatars.get(user.id);
      yield {
        ...this.#person(user.id, user.full_name ?? ""),
        email: user.delivery_email || null,
        isBot: user.is_bot === true,
        deleted: isDummy || user.is_mirror_dummy === true || user.is_active === false,
        avatar: avatar === undefined ? null : { entry: avatar.name, name: "avatar", size: avatar.size },
        createdAt: user.date_joined,
      };
    }
  }

  async *emoji(): AsyncGenerator<ArchiveRecord> {
    const records = await this.#records("emoji");
    for (const { id, name, file_name, deactivated } of this.#realm.ownEmoji) {
      if (deactivated === true) continue;
      const record = records.find((each) => each.file_name !== null && each.file_name === file_name);
      const picture = record && this.#stored("emoji", record.path);
      if (picture === undefined) yield skipped("emoji", "picture is not in the archive", name);
      else {
        this.#emojiByName.set(name, id);
        this.#emojiIds.add(id);
        const file = { entry: picture.name, name, size: picture.size };
        yield { kind: "emoji", id, server: this.#realm.server, name, file };
      }
    }
  }

  /** Finds the oldest message of people in each topic. */
  async findRoots(entry: string): Promise<void> {
    for await (const { message } of this.#messages(entry)) {
      if (message === undefined || this.#isNotice(message)) continue;
      const topic = this.#topic(message);
      if (topic === null) continue;
      const { id, date_sent: at } = message;
      const known = this.#roots.get(topic);
      if (known === undefined || at < known.at || (at === known.at && id < known.id))
        this.#roots.set(topic, { at, id });
      if (this.#roots.size > maxTopics) throw new ArchiveError(`The archive has more than ${maxTopics} topics.`);
    }
  }

  readNames(): void {
    this.#emojiNames = zulipEmoji(this.#realm.reactions.names());
  }

  async *messages(entry: string): AsyncGenerator<ArchiveRecord> {
    for await (const { message, example } of this.#messages(entry)) {
      if (message === undefined) {
        yield unknownRecord(example);
        continue;
      }
      const id = String(message.id);
      const channel = this.#realm.recipients.get(message.recipient);
      if (channel === undefined) yield skipped("message", "channel is not in the archive", id);
      else if (channel === null) yield directMessage(message.recipient);
      else if (this.#isNotice(message)) yield skipped("system_message", systemMessage(message.content), id);
      else yield* this.#message(channel, message);
    }
  }

  async *#messages(entry: string): AsyncGenerator<{ message: ZulipMessage | undefined; example: string }> {
    for await (const { key, place, value } of jsonRecords(this.#archive, entry)) {
      if (key !== "zerver_message" || place === null) continue;
      yield { message: messageSchema.safeParse(value).data, example: `${entry}, record ${place}` };
    }
  }

  #isNotice({ sender }: ZulipMessage): boolean {
    return !this.#people.has(sender) && this.#realm.systemBots.get(sender) === noticesOf;
  }

  /** A short name of a message's topic; null for the empty one, and in conversations. */
  #topic({ recipient, subject }: ZulipMessage): string | null {
    if (subject.trim() === "" || typeof this.#realm.recipients.get(recipient) !== "string") return null;
    const key = `${recipient}/${subject.trim().toLowerCase()}`;
    return createHash("sha256").update(key).digest("base64url").slice(0, 22);
  }

  *#message(channel: string, message: ZulipMessage): Generator<ArchiveRecord> {
    const { sender, date_sent: at, last_edit_time, edit_history, subject } = message;
    const topic = this.#topic(message);
    const root = topic === null ? undefined : this.#roots.get(topic);
    const own: MessageRecord = {
      ...emptyMessage({ id: String(message.id), channel, at, version: last_edit_time ?? at }),
      author: sender,
      editedAt: wasEdited(edit_history) ? last_edit_time : null,
      thread: root === undefined || root.id === message.id ? null : String(root.id),
    };
    if (root?.id === message.id) {
      own.threadTitle = cleanName(subject.replace(resolved, "")) || cleanName(subject);
      if (resolved.test(subject)) own.threadClosed = true;
    }
    if (!this.#people.has(sender)) yield this.#stranger(sender);
    const { content, paths } = withoutUploads(message.content);
    own.files = paths.map((path) => this.#file(path));
    own.poll = pollOf(content);
    const names = this.#namesFor(message);
    own.text = own.poll === null ? zulipText(content.trimEnd(), names) : [`📊 Poll: ${own.poll.question}`];
    if (isBlankText(own.text) && own.files.length === 0) {
      yield skipped("message", "empty", own.id);
      return;
    }
    yield* this.#react(own, message.id);
    yield own;
  }

  *#react(own: MessageRecord, message: number): Generator<SkippedRecord> {
    for (const [kind, people] of this.#realm.reactions.of(message)) {
      const emoji = this.#emojiOf(kind);
      const named = people.filter((id) => this.#people.has(id));
      if (emoji !== null) own.reactions.push({ emoji, count: people.length, people: named });
      else yield skipped("reaction", "unknown emoji", kind.name, people.length);
    }
  }

  #emojiOf({ name, code, type }: ReactionKind): FormReaction["emoji"] | null {
    if (type === "unicode_emoji") {
      const unicode = emojiOfCode(code);
      return unicode === null ? null : { unicode };
    }
    if (type !== "realm_emoji") return null;
    // A name that was given anew is that of the other picture.
    const own = this.#emojiIds.has(code) ? code : this.#emojiByName.get(name);
    return own === undefined ? null : { own };
  }

  #person(id: string, fullName: string): PersonRecord {
    const name = cleanName(fullName) || "user";
    this.#people.add(id);
    this.#byName.set(fullName, this.#byName.has(fullName) ? null : id);
    return {
      kind: "person",
      id,
      name,
      username: fullName,
      email: null,
      emailVerified: false,
      isBot: false,
      deleted: false,
      avatar: null,
      roles: [],
      createdAt: null,
    };
  }

  /** A bot of Zulip itself, or somebody whom no list has. */
  #stranger(id: string): PersonRecord {
    const address = this.#realm.systemBots.get(id);
    const person = this.#person(id, address?.replace(/@.*$/, "") ?? "");
    return { ...person, isBot: address !== undefined, deleted: address === undefined };
  }

  #namesFor({ rendered_content }: ZulipMessage): ZulipNames {
    return {
      isPerson: (id) => this.#people.has(id),
      personNamed: (name) => this.#byName.get(name) ?? undefined,
      channelNamed: (name) => this.#channels.get(name),
      ownEmoji: (name) => this.#emojiByName.get(name),
      emoji: this.#emojiNames(rendered_content),
    };
  }

  #file(path: string): FormFile {
    const entry = this.#archive.find(`uploads/${path}`);
    const name = cleanName(path.slice(path.lastIndexOf("/") + 1)) || "file";
    return { entry: entry?.name ?? null, name, size: entry?.size ?? 0 };
  }

  /** The pictures that a folder lists. */
  async #records(folder: string) {
    const list = `${folder}/records.json`;
    if (this.#archive.find(list) === undefined) return [];
    const records = [];
    for await (const { value } of jsonRecords(this.#archive, list)) {
      const { data } = recordSchema.safeParse(value);
      if (data !== undefined) records.push(data);
      if (records.length > maxPeople) throw new ArchiveError(`${list} has more than ${maxPeople} records.`);
    }
    return records;
  }

  #stored(folder: string, path: string): Entry | undefined {
    return this.#archive.find(`${folder}/${path}`) ?? this.#archive.find(`${folder}/${path}.original`);
  }
}
