import { type Archive, ArchiveError, type Reader } from "../archive.js";
import { cleanName } from "../clean-text.js";
import { slackEmoji } from "../emoji-names.js";
import { emptyMessage } from "../empty-message.js";
import type { ArchiveRecord, MessageRecord, PersonRecord, SkippedRecord } from "../form.js";
import { maxPeople } from "../open/limits.js";
import type { PostedEmbed } from "../posts/posted-message.js";
import { slackEmbeds } from "../posts/slack.js";
import { createConvertMarkup, decodeSlack } from "../posts/slack-markup.js";
import { slackAttachment } from "../posts/slack-payload.js";
import { storedEmbeds } from "../posts/stored-embeds.js";
import { directMessage, skipped, unknownRecord } from "../skipped.js";
import { flatText, isBlankText } from "../text-parts.js";
import { secondsToMilliseconds } from "../times.js";
import { textOfBlocks } from "./blocks.js";
import { SlackFiles } from "./files.js";
import { recordsIn } from "./lists.js";
import { type Pins, pinOf, pinsOf } from "./pins.js";
import {
  canvasSchema,
  conversationSchema,
  messageSchema,
  type SlackConversation,
  type SlackMessage,
  type SlackProfile,
  userSchema,
} from "./schema.js";
import { systemMessages } from "./system-messages.js";
import { slackText } from "./text.js";

const dayFile = /^([^/]+)\/\d{4}-\d\d-\d\d\.json$/;
const channelCanvas = /\/canvas_in_the_conversation\.json$/;
const canvasFolder = /^FC:/;
const slackbot = "USLACKBOT";

/** Reads Slack's export: lists of people and conversations, and a file a day of each conversation. */
export const slackReader: Reader = {
  source: "slack",
  async recognises({ find, entries }) {
    const lists = ["channels.json", "groups.json", "dms.json"].some((name) => find(name) !== undefined);
    return find("users.json") !== undefined && lists && find("server.json") === undefined
      ? true
      : lists && entries.some(({ name }) => dayFile.test(name));
  },
  async *read(archive) {
    const reading = new Reading(archive);
    yield* reading.people();
    yield* reading.channels();
    yield* reading.messages();
    yield* reading.canvases();
  },
};

interface Channel {
  id: string;
  pins: Pins;
}

class Reading {
  readonly #archive: Archive;
  /** What is known of people; of some only what other people's messages say. */
  readonly #people = new Map<string, { isBot: boolean; name: string; username: string; isHearsay?: true }>();
  readonly #heardOf: PersonRecord[] = [];
  readonly #channels = new Map<string, Channel>();
  /** Names by ids. */
  readonly #channelNames = new Map<string, string>();
  readonly #direct = new Set<string>();
  readonly #files: SlackFiles;
  #server = "";

  constructor(archive: Archive) {
    this.#archive = archive;
    this.#files = new SlackFiles(archive);
  }

  async *people(): AsyncGenerator<ArchiveRecord> {
    const people: PersonRecord[] = [];
    for await (const { value, example } of recordsIn(this.#archive, "users.json", "org_users.json")) {
      const { data: user } = userSchema.safeParse(value);
      if (user === undefined) {
        yield unknownRecord(example);
        continue;
      }
      if (this.#people.has(user.id)) continue;
      this.#server ||= user.team_id ?? "";
      people.push(
        this.#person(user.id, user.name ?? "", user.profile, {
          isBot: user.is_bot === true || user.id === slackbot,
          deleted: user.deleted === true,
          emailVerified: user.is_email_confirmed === true,
        }),
      );
      this.#checkPeople();
    }
    this.#server ||= "slack";
    // The export has no name of the workspace.
    yield { kind: "server", id: this.#server, name: null };
    yield* people;
  }

  async *channels(): AsyncGenerator<ArchiveRecord> {
    let position = 0;
    for (const [list, isPrivate] of [
      ["channels.json", false],
      ["groups.json", true],
    ] as const) {
      for await (const { value, example } of recordsIn(this.#archive, list)) {
        const { data: channel } = conversationSchema.safeParse(value);
        if (channel === undefined) {
          yield unknownRecord(example);
          continue;
        }
        if (channel.is_im || channel.is_mpim) {
          this.#addDirect(channel);
          continue;
        }
        const known = { id: channel.id, pins: pinsOf(channel) };
        const name = cleanName(channel.name ?? "") || channel.id;
        this.#channelNames.set(channel.id, name);
        for (const folder of [channel.name, channel.id]) if (folder) this.#channels.set(folder.normalize("NFC"), known);
        yield {
          kind: "channel",
          id: channel.id,
          server: this.#server,
          name,
          type: "text",
          category: null,
          topic: decodeSlack(channel.topic?.value || channel.purpose?.value || "") || null,
          private: isPrivate || channel.is_private === true,
          archived: channel.is_archived === true,
          position,
          createdAt: secondsToMilliseconds(channel.created),
        };
        position += 1;
      }
    }
    for (const list of ["dms.json", "mpims.json"]) {
      for await (const { value } of recordsIn(this.#archive, list)) {
        const { data } = conversationSchema.safeParse(value);
        if (data !== undefined) this.#addDirect(data);
      }
    }
  }

  #addDirect({ id, name }: SlackConversation): void {
    for (const folder of [id, name]) if (folder) this.#direct.add(folder.normalize("NFC"));
  }

  async *messages(): AsyncGenerator<ArchiveRecord> {
    for (const { name } of this.#archive.entries.filter(({ name }) => dayFile.test(name)).sort(byName)) {
      const folder = dayFile.exec(name)?.[1] ?? "";
      const channel = this.#channels.get(folder);
      for await (const { value, example } of recordsIn(this.#archive, name)) {
        const { data: message } = messageSchema.safeParse(value);
        if (message === undefined) yield unknownRecord(example);
        else if (channel !== undefined) yield* this.#message(channel, message);
        else if (this.#direct.has(folder)) yield directMessage(folder);
        else if (canvasFolder.test(folder)) yield skipped("canvas", "remarks", folder);
        else yield skipped("message", "channel is not in the archive", folder);
      }
    }
  }

  async *canvases(): AsyncGenerator<ArchiveRecord> {
    const ofChannels = this.#archive.entries.map(({ name }) => name).filter((name) => channelCanvas.test(name));
    for await (const { value } of recordsIn(this.#archive, "canvases.json", "lists.json", ...ofChannels)) {
      const canvas = canvasSchema.safeParse(value).data;
      yield skipped("canvas", "no place for it", canvas?.title ?? canvas?.name ?? canvas?.id ?? "canvas");
    }
  }

  #checkPeople(): void {
    if (this.#people.size > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
  }

  #person(
    id: string,
    username: string,
    profile: SlackProfile | null | undefined,
    { isBot = id === slackbot, deleted = false, emailVerified = false },
  ): PersonRecord {
    const called = username || (id === slackbot ? "slackbot" : id);
    const name =
      cleanName(profile?.display_name || profile?.real_name || username) || (id === slackbot ? "Slackbot" : id);
    this.#people.set(id, { isBot, name, username: called });
    return {
      kind: "person",
      id,
      name,
      username: called,
      email: profile?.email || null,
      emailVerified,
      isBot,
      deleted,
      avatar: null,
      roles: [],
      createdAt: null,
    };
  }

  async *#message({ id: channel, pins }: Channel, message: SlackMessage): AsyncGenerator<ArchiveRecord> {
    const { ts, subtype } = message;
    const id = `${channel}/${ts}`;
    const system = systemMessages.get(subtype ?? "");
    const at = secondsToMilliseconds(ts);
    const isRoot = message.thread_ts === ts || (message.reply_count ?? 0) > 0;
    if (system !== undefined) yield skipped("system_message", system, id);
    else if (subtype === "tombstone" && !isRoot) yield skipped("message", "deleted", id);
    else if (at === null) yield unknownRecord(id);
    else {
      const own: MessageRecord = {
        ...emptyMessage({ id, channel, at, version: secondsToMilliseconds(message.edited?.ts) ?? at }),
        text: slackText(message.text ?? "", this.#names),
        editedAt: secondsToMilliseconds(message.edited?.ts),
        thread: message.thread_ts && message.thread_ts !== ts ? `${channel}/${message.thread_ts}` : null,
        pinned: pins.get(ts) ?? pinOf(message, channel),
      };
      yield* this.#heardOf.splice(0);
      if (subtype !== "tombstone") yield* this.#author(own, message);
      yield* this.#attached(own, message);
      yield* this.#files.hang(own, message);
      if (isBlankText(own.text) && own.embeds.length === 0 && own.files.length === 0) {
        yield skipped(subtype ? "system_message" : "message", subtype ? "of another kind" : "empty", id);
        return;
      }
      for (const { name, users, count } of message.reactions ?? []) {
        const unicode = slackEmoji(name);
        const people = [...new Set(users ?? [])];
        const counted = Math.max(count ?? 0, people.length);
        if (unicode === null) yield skipped("reaction", "unknown emoji", name, Math.max(counted, 1));
        else own.reactions.push({ emoji: { unicode }, count: counted, people });
        for (const person of people) this.#names.person(person, undefined);
      }
      yield* this.#heardOf.splice(0);
      yield own;
    }
  }

  readonly #names = {
    person: (id: string, name: string | undefined) => {
      if (this.#people.has(id)) return;
      const person = this.#person(id, name ?? "", null, {});
      this.#heardOf.push(person);
      this.#people.set(id, { isBot: person.isBot, name: person.name, username: person.username, isHearsay: true });
      this.#checkPeople();
    },
    isChannel: (id: string) => this.#channelNames.has(id),
  };

  readonly #shown = {
    person: (id: string) => this.#people.get(id)?.username,
    channel: (id: string) => this.#channelNames.get(id),
  };

  /** Sets the author, and yields one whom no list has. */
  *#author(own: MessageRecord, message: SlackMessage): Generator<PersonRecord> {
    const { username, bot_id, bot_profile, user_profile, subtype } = message;
    const user = message.user || message.comment?.user;
    const isBot = subtype === "bot_message" || (!user && (bot_id !== undefined || username !== undefined));
    const shown = cleanName(username ?? bot_profile?.name ?? "");
    const id = isBot ? bot_id || `bot/${shown}` : user;
    if (!id) return;
    own.author = id;
    const known = this.#people.get(id);
    if (known === undefined || (known.isHearsay && user_profile)) {
      yield isBot
        ? this.#person(id, shown, null, { isBot })
        : this.#person(id, user_profile?.name ?? "", user_profile, { isBot: Boolean(bot_id) || id === slackbot });
      this.#checkPeople();
    } else if (isBot && shown !== "" && shown !== known.name) own.webhookName = shown;
  }

  /** Embeds of bots, and cards of links, which are counted. */
  *#attached(own: MessageRecord, message: SlackMessage): Generator<SkippedRecord> {
    const { attachments, blocks, bot_id } = message;
    const isBot = Boolean(bot_id) || this.#people.get(own.author ?? "")?.isBot === true;
    const convert = createConvertMarkup((text) => flatText(slackText(text, this.#names), this.#shown));
    const posted: PostedEmbed[] = [];
    if (isBlankText(own.text)) {
      const { text, pictures } = textOfBlocks(blocks ?? [], this.#names);
      own.text = text;
      if (isBot) posted.push(...pictures);
    }
    for (const attachment of attachments ?? []) {
      const { data } = slackAttachment.safeParse(attachment);
      if (attachment.from_url || attachment.is_msg_unfurl) {
        yield skipped("link_preview", "made by Slack", attachment.from_url ?? own.id);
      } else if (data !== undefined) posted.push(...slackEmbeds(data, convert));
    }
    own.embeds = storedEmbeds(posted);
  }
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
