import { qualifiedEmoji } from "@parley/contracts";
import { type Archive, ArchiveError, type Reader } from "../archive.js";
import { cleanName } from "../clean-text.js";
import { emptyMessage } from "../empty-message.js";
import type { ArchiveRecord, EmojiRecord, MessageRecord, PersonRecord, RoleRecord, SkippedRecord } from "../form.js";
import type { FormReaction, FormText } from "../form-parts.js";
import { jsonRecords } from "../json-records.js";
import { maxPeople } from "../open/limits.js";
import { directMessage, skipped, unknownRecord } from "../skipped.js";
import { flatText, isBlankText, quoted } from "../text-parts.js";
import { isoMilliseconds } from "../times.js";
import { embedsOf } from "./embeds.js";
import { DiscordWorld, type ExportFile, isDirect, readHead, timeOfId } from "./guild.js";
import { DiscordMedia } from "./media.js";
import { copiesIn } from "./mirror.js";
import { placesOf } from "./places.js";
import { type DiscordEmoji, type DiscordMessage, type DiscordUser, messageSchema } from "./schema.js";
import { systemMessages } from "./system-messages.js";
import { discordText, shownName } from "./text.js";

const maxEmoji = 100_000;
const deletedUser = "456226577798135808";
const anonymousUser = /^deleted_user_[0-9a-f]+$/;
const mediaFolder = /_Files\//;

/** Entries that are looked at to recognise a source. */
const entriesLookedAt = 50;

/**
 * Reads JSON of DiscordChatExporter. The archive is read twice: first who and what is named in it, then the messages, whose
 * texts have names of people, roles, channels and emoji of other files.
 */
export const discordReader: Reader = {
  source: "discord",
  async recognises(archive) {
    for (const { name } of jsonEntries(archive).slice(0, entriesLookedAt)) {
      if ((await readHead(archive, name).catch(() => null)) !== null) return true;
    }
    return false;
  },
  async *read(archive) {
    const files: ExportFile[] = [];
    for (const { name } of jsonEntries(archive)) {
      const file = await readHead(archive, name);
      if (file === null) yield skipped("unknown_record", "file is no export of a channel", name);
      else files.push(file);
    }
    const reading = new Reading(archive);
    yield* placesOf(files, reading.world, reading.media);
    for (const file of files) if (!isDirect(file)) yield* reading.namesIn(file);
    for (const file of files) yield* reading.messagesIn(file);
    yield* copiesIn(archive);
  },
};

const jsonEntries = ({ entries }: Archive) =>
  entries.filter(({ name }) => name.toLowerCase().endsWith(".json") && !mediaFolder.test(name));

class Reading {
  readonly #archive: Archive;
  readonly media: DiscordMedia;
  readonly world = new DiscordWorld();

  constructor(archive: Archive) {
    this.#archive = archive;
    this.media = new DiscordMedia(archive);
  }

  /** Roles, people and own emoji that a file names. */
  async *namesIn(file: ExportFile): AsyncGenerator<ArchiveRecord> {
    for await (const message of this.#messages(file)) {
      if (!message.success) continue;
      const { author, mentions, reactions, inlineEmojis } = message.data;
      this.world.noteRoot(message.data);
      if (systemMessages.get(message.data.type) === "thread starter")
        this.world.shadows.set(file.channel.id, message.data.id);
      yield* this.#person(file, author);
      for (const user of mentions ?? []) yield* this.#person(file, user);
      for (const { users, emoji } of reactions ?? []) {
        yield* this.#emoji(file, emoji);
        for (const user of users ?? []) yield* this.#person(file, user);
      }
      for (const emoji of inlineEmojis ?? []) yield* this.#emoji(file, emoji);
    }
  }

  async *messagesIn(file: ExportFile): AsyncGenerator<ArchiveRecord> {
    const direct = isDirect(file);
    const thread = this.world.threads.get(file.channel.id);
    let place = 0;
    for await (const message of this.#messages(file)) {
      place += 1;
      if (!message.success) yield unknownRecord(`${file.entry}, record ${place}`);
      else if (direct) yield directMessage(message.data.id);
      else yield* this.#message(file, thread?.id ?? null, message.data);
    }
  }

  async *#messages({ entry }: ExportFile) {
    for await (const { key, place, value } of jsonRecords(this.#archive, entry)) {
      // Messages that are no list count as one record that cannot be read.
      if (key === "messages") yield messageSchema.safeParse(place === null ? undefined : value);
    }
  }

  *#person({ entry, guild }: ExportFile, user: DiscordUser): Generator<PersonRecord | RoleRecord> {
    for (const { id, name, color, position } of user.roles ?? []) {
      if (this.world.roles.has(id)) continue;
      this.world.roles.set(id, name);
      yield {
        kind: "role",
        id,
        server: guild.id,
        name: cleanName(name) || "role",
        color: /^#[0-9a-f]{6}$/i.test(color ?? "") ? (color ?? null) : null,
        permissions: "0",
        position: position ?? 0,
      };
    }
    const { people } = this.world;
    const known = people.get(user.id);
    const roles = user.roles?.map(({ id }) => id).join(",") ?? null;
    const isBot = user.isBot ?? false;
    const name =
      isBot && known !== undefined ? known.name : cleanName(shownName(user)) || cleanName(user.name) || "user";
    if (known !== undefined && (roles === null || (known.name === name && known.roles === roles))) return;
    people.set(user.id, { name, username: user.name, roles });
    if (people.size > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
    const avatar = this.media.find(entry, user.avatarUrl ?? "http:");
    yield {
      kind: "person",
      id: user.id,
      name,
      username: user.name,
      email: null,
      emailVerified: false,
      isBot,
      deleted: user.id === deletedUser || anonymousUser.test(user.name),
      avatar: avatar === undefined ? null : { entry: avatar.name, name: "avatar", size: avatar.size },
      roles: roles ? roles.split(",") : [],
      createdAt: timeOfId(user.id),
    };
  }

  *#emoji({ entry, guild }: ExportFile, { id, name, imageUrl }: DiscordEmoji): Generator<EmojiRecord> {
    if (!id || this.world.emoji.has(id) || !imageUrl) return;
    const picture = this.media.find(entry, imageUrl);
    if (picture === undefined) return;
    this.world.emoji.add(id);
    if (this.world.emoji.size > maxEmoji) throw new ArchiveError(`The archive has more than ${maxEmoji} emoji.`);
    yield { kind: "emoji", id, server: guild.id, name, file: { entry: picture.name, name, size: picture.size } };
  }

  *#message(
    file: ExportFile,
    thread: string | null,
    message: DiscordMessage,
  ): Generator<MessageRecord | SkippedRecord> {
    const { id, reference, author } = message;
    const system = systemMessages.get(message.type);
    const startedThread =
      message.type === "ThreadCreated" ? this.world.threadWithoutRoot(reference?.channelId ?? "") : undefined;
    if (system !== null && startedThread === undefined) {
      yield skipped("system_message", system ?? "of another kind", id);
      return;
    }
    const at = isoMilliseconds(message.timestamp);
    if (at === null) {
      yield unknownRecord(id);
      return;
    }
    const own: MessageRecord = {
      ...emptyMessage({
        // A thread that no message began has its notice as root, so that its replies find it by the thread's id.
        id: startedThread?.id ?? id,
        channel: (thread === null ? null : file.channel.categoryId) ?? file.channel.id,
        at,
        version: isoMilliseconds(file.exportedAt) ?? at,
      }),
      author: author.id,
      editedAt: isoMilliseconds(message.timestampEdited),
      thread: thread === id ? null : thread,
      pinned: message.isPinned ? { at: null, by: null } : null,
    };
    const title = startedThread ?? this.world.threads.get(id);
    if (title !== undefined) own.threadTitle = cleanName(title.name);
    if (startedThread !== undefined) {
      yield { ...own, text: [cleanName(startedThread.name)] };
      return;
    }
    const name = this.world.people.get(author.id)?.name;
    if (author.isBot && name !== undefined && cleanName(shownName(author)) !== name)
      own.webhookName = cleanName(shownName(author));
    own.replyTo = yield* this.#answered(message, thread);
    own.text = this.#text(file, message);
    const { attachments, forwardedMessage } = message;
    for (const { url, fileName } of [...(attachments ?? []), ...(forwardedMessage?.attachments ?? [])]) {
      own.files.push(this.media.file(file.entry, url, fileName));
    }
    if (author.isBot) own.embeds = embedsOf(message.embeds ?? [], this.#plainText(file, message));
    else if (message.embeds?.length) yield skipped("link_preview", "made by Discord", id, message.embeds.length);
    for (const sticker of [...(message.stickers ?? []), ...(forwardedMessage?.stickers ?? [])]) {
      yield skipped("sticker", "no place for it", sticker.name);
      if (isBlankText(own.text)) own.text = [cleanName(sticker.name)];
    }
    if (isBlankText(own.text) && own.files.length === 0 && own.embeds.length === 0) {
      yield skipped("message", "empty", id);
      return;
    }
    for (const { emoji, count, users } of message.reactions ?? []) {
      const reaction = this.#reaction(emoji, count, users ?? []);
      if (typeof reaction === "string") yield skipped("reaction", reaction, emoji.name, Math.max(count, 1));
      else own.reactions.push(reaction);
    }
    yield own;
  }

  *#answered({ id, type, reference }: DiscordMessage, thread: string | null): Generator<SkippedRecord, string | null> {
    if (type !== "Reply") return null;
    if (thread !== null && reference?.messageId && reference.messageId === this.world.shadows.get(thread))
      return thread;
    if (!reference?.messageId) yield skipped("reply", "answered message is not in the archive", id);
    return reference?.messageId || null;
  }

  #text(file: ExportFile, message: DiscordMessage): FormText {
    const names = this.world.namesFor(file.channel.id);
    const { content, forwardedMessage } = message;
    const text = discordText(content, message, names);
    if (!isBlankText(text) || !forwardedMessage?.content) return text;
    return quoted(discordText(forwardedMessage.content, message, names));
  }

  /** Makes texts of embeds, whose names are words. */
  #plainText(file: ExportFile, message: DiscordMessage): (text: string) => string {
    const { people, channels } = this.world;
    const names = { ...this.world.namesFor(file.channel.id), hasPicture: () => false };
    const shown = {
      person: (id: string) => people.get(id)?.username,
      channel: (id: string) => channels.get(id)?.name,
    };
    return (text) => flatText(discordText(text, message, names), shown);
  }

  /** @returns a text that says why the reaction has no place */
  #reaction({ id, name }: DiscordEmoji, count: number, users: readonly DiscordUser[]): FormReaction | string {
    const people = [...new Set(users.map((user) => user.id))];
    const counted = { count: Math.max(count, people.length), people };
    if (id) {
      return this.world.emoji.has(id)
        ? { emoji: { own: id }, ...counted }
        : "custom emoji without a picture in the archive";
    }
    const unicode = qualifiedEmoji(name);
    return unicode === null ? "unknown emoji" : { emoji: { unicode }, ...counted };
  }
}
