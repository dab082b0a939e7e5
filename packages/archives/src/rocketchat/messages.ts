import { cleanName } from "../clean-text.js";
import { rocketchatEmoji } from "../emoji-names.js";
import { emptyMessage } from "../empty-message.js";
import type { ArchiveRecord, MessageRecord, PersonRecord, SkippedRecord } from "../form.js";
import type { FormReaction, FormText, TextPart } from "../form-parts.js";
import type { PostedEmbed } from "../posts/posted-message.js";
import { slackEmbeds } from "../posts/slack.js";
import { createConvertMarkup } from "../posts/slack-markup.js";
import { slackAttachment } from "../posts/slack-payload.js";
import { storedEmbeds } from "../posts/stored-embeds.js";
import { directMessage, skipped, unknownRecord } from "../skipped.js";
import { flatText, isBlankText, joinedParts } from "../text-parts.js";
import type { Dump } from "./dump.js";
import { messageSchema, type RocketMessage } from "./schema.js";
import { systemMessage } from "./system-messages.js";
import { type MessageNames, rocketchatText } from "./text.js";

/** The beginning of a message that answers another one. */
const answer = /^\[ ?\]\(https?:\/\/[^\s)]*[?&]msg=([^\s)&]+)[^\s)]*\)[ \n]?/;
const cat = "rocket.cat";

/** Turns the documents of `rocketchat_message` into messages. People, rooms, emoji and uploads have to be read before. */
export class Messages {
  readonly #dump: Dump;

  constructor(dump: Dump) {
    this.#dump = dump;
  }

  async *records(): AsyncGenerator<ArchiveRecord> {
    for await (const { value, example } of this.#dump.documents("rocketchat_message")) {
      const { data: message } = messageSchema.safeParse(value);
      if (message === undefined) {
        yield unknownRecord(example);
        continue;
      }
      const { _id: id, rid, t: type } = message;
      const room = this.#dump.rooms.get(rid);
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
      ...emptyMessage({ id, channel: rid, at: ts, version: _updatedAt ?? editedAt ?? ts }),
      editedAt,
      thread: tmid === id ? null : tmid,
    };
  }

  *#message(message: RocketMessage): Generator<ArchiveRecord> {
    const own = this.#empty(message);
    yield* this.#author(own, message);
    const { pinned, pinnedAt, pinnedBy } = message;
    if (pinned === true) {
      if (pinnedBy !== null) yield* this.#dump.people.addUnknown(pinnedBy);
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
    own.files = files.filter(({ typeGroup }) => typeGroup !== "thumb").map((file) => this.#dump.file(file));
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

  readonly #shown = {
    person: (id: string) => this.#dump.people.usernameOf(id),
    channel: (id: string) => this.#dump.roomNames.get(id),
  };

  #text(msg: string, message: RocketMessage): FormText {
    return rocketchatText(msg, this.#names(message));
  }

  #names({ mentions, channels }: RocketMessage): MessageNames {
    const people = new Map<string, TextPart>();
    for (const { _id: id, username } of mentions) {
      if (id === "all" || id === "here") people.set(id, { everyone: id === "all" ? "everyone" : "here" });
      else if (username && this.#dump.people.has(id)) people.set(username, { person: id });
    }
    const named = new Map<string, TextPart>();
    for (const { _id: id, name } of channels) {
      if (name && this.#dump.rooms.get(id) === "channel") named.set(name, { channel: id });
    }
    return { people, channels: named, emoji: (name) => this.#dump.emoji.get(name) };
  }

  /** Sets the author, and yields one whom no list has: a name that an integration, or a deleted account, had. */
  *#author(own: MessageRecord, { u, alias, bot }: RocketMessage): Generator<PersonRecord> {
    const name = cleanName(alias ?? "");
    const isBot = bot !== undefined && bot !== null && bot !== false;
    if (name !== "" && (isBot || u?._id === cat)) {
      yield* this.#dump.people.addUnknown({ _id: `alias/${name}`, username: name, name }, { isBot, deleted: !isBot });
      own.author = `alias/${name}`;
    } else if (u !== null) {
      yield* this.#dump.people.addUnknown(u);
      own.author = u._id;
      if (name !== "" && this.#dump.people.isBot(u._id)) own.webhookName = name;
    }
  }

  /** Captions of files, embeds of bots, and cards of links, which are counted. */
  *#attached(own: MessageRecord, message: RocketMessage): Generator<SkippedRecord> {
    const isBot = this.#dump.people.isBot(own.author ?? "");
    const names = this.#names(message);
    const convert = createConvertMarkup((text) =>
      flatText(rocketchatText(text, { ...names, emoji: () => undefined }), this.#shown),
    );
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
    const further = captions.filter((caption) => !message.msg?.includes(caption)).join("\n");
    if (further !== "")
      own.text = joinedParts([...own.text, isBlankText(own.text) ? "" : "\n", ...this.#text(further, message)]);
  }

  #reaction(name: string, usernames: readonly string[]): FormReaction | null {
    const people = [...new Set(usernames.flatMap((username) => this.#dump.people.idOf(username) ?? []))];
    const counted = { count: Math.max(usernames.length, people.length), people };
    const own = this.#dump.emoji.get(name);
    if (own !== undefined) return { emoji: { own }, ...counted };
    const unicode = rocketchatEmoji(name);
    return unicode === null ? null : { emoji: { unicode }, ...counted };
  }
}
