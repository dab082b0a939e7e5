import { type Archive, ArchiveError, type Entry, type Reader } from "../archive.js";
import { cleanName } from "../clean-text.js";
import { mattermostEmoji } from "../emoji-names.js";
import type { ArchiveRecord, MessageRecord, PersonRecord, SkippedRecord } from "../form.js";
import type { FormFile, FormReaction } from "../form-parts.js";
import { jsonLines } from "../json-records.js";
import { slackEmbeds } from "../posts/slack.js";
import { slackPayload } from "../posts/slack-payload.js";
import { storedEmbeds } from "../posts/stored-embeds.js";
import { skipped, unknownRecord } from "../skipped.js";
import { isBlankText } from "../text-parts.js";
import { EqualPosts } from "./equal-posts.js";
import {
  botSchema,
  channelSchema,
  directPostSchema,
  emojiSchema,
  lineSchema,
  type MattermostPost,
  type MattermostReply,
  postSchema,
  replySchema,
  roleSchema,
  teamSchema,
  userSchema,
} from "./schema.js";
import { systemMessage } from "./system-messages.js";
import { type MattermostNames, mattermostText } from "./text.js";

const version = 1;
/** People, and own emoji in use, of one archive: their names are in memory. */
const maxPeople = 500_000;
const maxUses = 100_000;
const emojiName = /:([a-z0-9_+-]{1,64}):/gi;

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
    const reading = new Reading(archive);
    yield* reading.all();
    yield* reading.posts();
  },
};

const lists = ({ entries }: Archive): Entry[] =>
  entries.filter(({ name }) => name.toLowerCase().endsWith(".jsonl") && !name.startsWith("data/"));

class Reading {
  readonly #archive: Archive;
  readonly #teams: string[] = [];
  readonly #people = new Map<string, { isBot: boolean }>();
  readonly #channels = new Set<string>();
  /** Own emoji: the entry of the picture, or null where it is not in the archive. */
  readonly #emoji = new Map<string, Entry | null>();
  readonly #uses = new Set<string>();
  readonly #equal = new EqualPosts();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** Everything but posts, which are only asked for the emoji that they use. */
  async *all(): AsyncGenerator<ArchiveRecord> {
    let position = 0;
    for await (const { type, value, example } of this.#lines()) {
      if (type === "post") this.#notice(value);
      else {
        yield* this.#record(type, value, example, position);
        position += 1;
      }
    }
    for (const [name, picture] of this.#emoji) {
      if (picture === null) continue;
      const inUse = this.#teams.filter((team) => this.#uses.has(`${team}/${name}`));
      for (const server of inUse.length > 0 ? inUse : this.#teams.slice(0, 1)) {
        yield {
          kind: "emoji",
          id: `${server}/${name}`,
          server,
          name,
          file: { entry: picture.name, name, size: picture.size },
        };
      }
    }
  }

  async *posts(): AsyncGenerator<ArchiveRecord> {
    for await (const { type, value, example } of this.#lines()) {
      if (type !== "post") continue;
      const { data: post } = postSchema.safeParse(value);
      if (post === undefined) yield unknownRecord(example);
      else yield* this.#post(post, example);
    }
  }

  async *#lines(): AsyncGenerator<{ type: string; value: unknown; example: string }> {
    for (const { name } of lists(this.#archive)) {
      let isFirst = true;
      for await (const { line, value } of jsonLines(this.#archive, name)) {
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

  *#record(type: string, value: unknown, example: string, position: number): Generator<ArchiveRecord> {
    switch (type) {
      case "version":
      case "direct_channel":
        return;
      case "role":
      case "scheme":
        yield skipped(
          "role",
          "roles of the installation have no place",
          roleSchema.safeParse(value).data?.name ?? type,
        );
        return;
      case "team": {
        const team = teamSchema.safeParse(value).data;
        if (team === undefined) yield unknownRecord(example);
        else {
          this.#teams.push(team.name);
          const { description } = team;
          const name = cleanName(team.display_name ?? "") || team.name;
          yield { kind: "server", id: team.name, name, ...(description && { description }) };
        }
        return;
      }
      case "channel": {
        const channel = channelSchema.safeParse(value).data;
        if (channel === undefined) yield unknownRecord(example);
        else {
          const id = `${channel.team}/${channel.name}`;
          this.#channels.add(id);
          yield {
            kind: "channel",
            id,
            server: channel.team,
            name: cleanName(channel.display_name ?? "") || channel.name,
            type: "text",
            category: null,
            topic: channel.header || channel.purpose || null,
            private: channel.type === "P",
            archived: Boolean(channel.deleted_at || channel.delete_at),
            position,
            createdAt: null,
          };
        }
        return;
      }
      case "user": {
        const user = userSchema.safeParse(value).data;
        if (user === undefined) yield unknownRecord(example);
        else {
          const fullName = `${user.first_name ?? ""} ${user.last_name ?? ""}`;
          yield this.#person(user.username, [user.nickname, fullName], {
            email: user.email || null,
            deleted: Boolean(user.delete_at),
            avatar: this.#picture(user.profile_image),
          });
        }
        return;
      }
      case "bot": {
        const bot = botSchema.safeParse(value).data;
        if (bot === undefined) yield unknownRecord(example);
        else {
          yield this.#person(bot.username, [bot.display_name], {
            isBot: true,
            deleted: Boolean(bot.delete_at),
            avatar: this.#picture(bot.profile_image),
          });
        }
        return;
      }
      case "emoji": {
        const emoji = emojiSchema.safeParse(value).data;
        if (emoji === undefined) yield unknownRecord(example);
        else {
          const picture = this.#entry(emoji.image);
          if (picture === undefined) yield skipped("emoji", "picture is not in the archive", emoji.name);
          this.#emoji.set(emoji.name, picture ?? null);
        }
        return;
      }
      case "direct_post": {
        const post = directPostSchema.safeParse(value).data;
        const members = (post?.channel_members ?? post?.members ?? []).join(",");
        yield skipped("direct_message", "private conversation", members, 1 + (post?.replies?.length ?? 0));
        return;
      }
      default:
        yield skipped("unknown_record", "kind is not known", type || example);
    }
  }

  #notice(value: unknown): void {
    const { data: post } = postSchema.safeParse(value);
    if (post === undefined) return;
    for (const { message, reactions } of [post, ...repliesOf(post)]) {
      const names = [...(message ?? "").matchAll(emojiName)].map(([, name = ""]) => name);
      for (const name of [...names, ...(reactions ?? []).map(({ emoji_name }) => emoji_name)]) {
        if (this.#uses.size < maxUses && mattermostEmoji(name) === null) this.#uses.add(`${post.team}/${name}`);
      }
    }
  }

  #person(
    username: string,
    names: (string | null | undefined)[],
    {
      email = null,
      isBot = false,
      deleted = false,
      avatar = null,
    }: Partial<Pick<PersonRecord, "email" | "isBot" | "deleted" | "avatar">> = {},
  ): PersonRecord {
    this.#people.set(username, { isBot });
    if (this.#people.size > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
    return {
      kind: "person",
      id: username,
      name: names.map((name) => cleanName(name ?? "")).find((name) => name !== "") ?? username,
      username,
      email,
      emailVerified: false,
      isBot,
      deleted,
      avatar,
      roles: [],
      createdAt: null,
    };
  }

  /** Somebody whom only posts name. */
  *#unknownPerson(username: string): Generator<PersonRecord> {
    if (!this.#people.has(username)) yield this.#person(username, []);
  }

  *#post(post: MattermostPost, example: string): Generator<ArchiveRecord> {
    const channel = `${post.team}/${post.channel}`;
    const replies = post.replies ?? [];
    if (!this.#channels.has(channel)) {
      yield skipped("message", "channel is not in the archive", channel, 1 + replies.length);
      return;
    }
    const root = yield* this.#message(post, post, null);
    for (const value of replies) {
      const { data: reply } = replySchema.safeParse(value);
      if (reply === undefined) yield unknownRecord(example);
      else yield* this.#message(post, reply, root);
    }
  }

  /** @returns the message's id, also when it is a system message */
  *#message(
    { team, channel }: MattermostPost,
    written: MattermostReply,
    root: string | null,
  ): Generator<ArchiveRecord, string> {
    const { user, type, message, create_at: at, edit_at: editedAt } = written;
    const place = `${team}/${channel}`;
    const key = `${place}/${user}/${at}`;
    const number = this.#equal.numberOf(key, `${root ?? ""}\0${type ?? ""}\0${message ?? ""}`);
    const id = number === 0 ? key : `${key}/${number}`;
    const system = systemMessage(type);
    if (system !== null) {
      yield skipped("system_message", system, type ?? "");
      return id;
    }
    const names: MattermostNames = {
      isPerson: (username) => this.#people.has(username),
      channel: (name) => (this.#channels.has(`${team}/${name}`) ? `${team}/${name}` : undefined),
      emoji: (name) => (this.#emoji.get(name) ? `${team}/${name}` : undefined),
    };
    const own: MessageRecord = {
      kind: "message",
      id,
      channel: place,
      at,
      version: Math.max(at, editedAt ?? 0),
      author: yield* this.#author(written),
      text: mattermostText(message ?? "", names),
      editedAt: editedAt || null,
      replyTo: null,
      thread: root,
      reactions: yield* this.#reactions(written, names),
      pinned: written.is_pinned ? { at: null, by: null } : null,
      embeds: embedsOf(written),
      poll: null,
      event: null,
      files: (written.attachments ?? []).map(({ path }) => this.#file(path)),
    };
    if (isBlankText(own.text) && own.files.length === 0 && own.embeds.length === 0)
      yield skipped("message", "empty", id);
    else yield own;
    return id;
  }

  /** A webhook is a bot of the name that its posts show; `user` only made it. */
  *#author({ user, props }: MattermostReply): Generator<PersonRecord, string> {
    const shown = props?.override_username ?? props?.webhook_display_name;
    if (!isTrue(props?.from_webhook) || typeof shown !== "string" || cleanName(shown) === "") {
      yield* this.#unknownPerson(user);
      return user;
    }
    const id = `webhook/${cleanName(shown)}`;
    if (!this.#people.has(id)) {
      yield { ...this.#person(id, [shown], { isBot: true }), username: cleanName(shown) };
    }
    return id;
  }

  *#reactions(
    { reactions }: MattermostReply,
    names: MattermostNames,
  ): Generator<PersonRecord | SkippedRecord, FormReaction[]> {
    const found = new Map<string, FormReaction>();
    for (const { user, emoji_name: name } of reactions ?? []) {
      const unicode = mattermostEmoji(name);
      const own = unicode === null ? names.emoji(name) : undefined;
      if (unicode === null && own === undefined) {
        const reason = this.#emoji.has(name) ? "custom emoji without a picture in the archive" : "unknown emoji";
        yield skipped("reaction", reason, name);
        continue;
      }
      yield* this.#unknownPerson(user);
      const emoji = unicode === null ? { own: own ?? "" } : { unicode };
      const key = unicode ?? `:${own}:`;
      const reaction = found.get(key) ?? { emoji, count: 0, people: [] };
      if (!reaction.people.includes(user)) reaction.people.push(user);
      found.set(key, { ...reaction, count: reaction.people.length });
    }
    return [...found.values()];
  }

  #entry(path: string | null | undefined): Entry | undefined {
    return path ? (this.#archive.find(`data/${path}`) ?? this.#archive.find(path)) : undefined;
  }

  #picture(path: string | null | undefined): FormFile | null {
    const entry = this.#entry(path);
    return entry === undefined ? null : { entry: entry.name, name: "avatar", size: entry.size };
  }

  #file(path: string): FormFile {
    const entry = this.#entry(path);
    const name = cleanName(path.slice(path.lastIndexOf("/") + 1)) || "file";
    return { entry: entry?.name ?? null, name, size: entry?.size ?? 0 };
  }
}

const repliesOf = ({ replies }: MattermostPost): MattermostReply[] =>
  (replies ?? []).flatMap((reply) => replySchema.safeParse(reply).data ?? []);

const isTrue = (value: unknown): boolean => value === true || value === "true";

/** Attachments have Slack's form, with texts in Markdown. */
function embedsOf({ props }: MattermostReply): MessageRecord["embeds"] {
  if (!Array.isArray(props?.attachments)) return [];
  const { data } = slackPayload.safeParse({ attachments: props.attachments });
  return storedEmbeds((data?.attachments ?? []).flatMap((attachment) => slackEmbeds(attachment, (text) => text)));
}
