import { cleanName } from "../clean-text.js";
import { mattermostEmoji } from "../emoji-names.js";
import { emptyMessage } from "../empty-message.js";
import type { ArchiveRecord, MessageRecord, PersonRecord, SkippedRecord } from "../form.js";
import type { FormReaction } from "../form-parts.js";
import { slackEmbeds } from "../posts/slack.js";
import { type ConvertMarkup, createConvertMarkup } from "../posts/slack-markup.js";
import { slackPayload } from "../posts/slack-payload.js";
import { storedEmbeds } from "../posts/stored-embeds.js";
import { skipped, unknownRecord } from "../skipped.js";
import { flatText, isBlankText } from "../text-parts.js";
import { EqualPosts } from "./equal-posts.js";
import type { Installation } from "./installation.js";
import { type MattermostPost, type MattermostReply, postSchema, replySchema } from "./schema.js";
import type { Line } from "./structure.js";
import { systemMessage } from "./system-messages.js";
import { type MattermostNames, mattermostText } from "./text.js";

/** Turns posts into messages. Teams, channels, people and emoji have to be read before. */
export class Posts {
  readonly #installation: Installation;
  readonly #equal = new EqualPosts();

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  /** A post with its replies. */
  *records({ value, example }: Line): Generator<ArchiveRecord> {
    const { data: post } = postSchema.safeParse(value);
    if (post === undefined) {
      yield unknownRecord(example);
      return;
    }
    const channel = `${post.team}/${post.channel}`;
    const replies = post.replies ?? [];
    if (!this.#installation.channels.has(channel)) {
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
    const { people, channels, emoji } = this.#installation;
    const names: MattermostNames = {
      isPerson: (username) => people.has(username),
      channel: (name) => (channels.has(`${team}/${name}`) ? `${team}/${name}` : undefined),
      emoji: (name) => emoji.idOf(team, name),
    };
    // Embeds have no pictures for names of emoji.
    const plainNames = { ...names, emoji: () => undefined };
    const shown = { person: (name: string) => name, channel: (id: string) => channels.get(id) };
    const own: MessageRecord = {
      ...emptyMessage({ id, channel: place, at, version: Math.max(at, editedAt ?? 0) }),
      author: yield* this.#author(written),
      text: mattermostText(message ?? "", names),
      editedAt: editedAt || null,
      thread: root,
      reactions: yield* this.#reactions(written, names),
      pinned: written.is_pinned ? { at: null, by: null } : null,
      embeds: embedsOf(
        written,
        createConvertMarkup((text) => flatText(mattermostText(text, plainNames), shown)),
      ),
      files: (written.attachments ?? []).map(({ path }) => this.#installation.file(path)),
    };
    if (isBlankText(own.text) && own.files.length === 0 && own.embeds.length === 0)
      yield skipped("message", "empty", id);
    else yield own;
    return id;
  }

  /** A webhook is a bot of the name that its posts show; `user` only made it. */
  *#author({ user, props }: MattermostReply): Generator<PersonRecord, string> {
    const { people } = this.#installation;
    const shown = props?.override_username ?? props?.webhook_display_name;
    if (!isTrue(props?.from_webhook) || typeof shown !== "string" || cleanName(shown) === "") {
      yield* people.addUnknown(user);
      return user;
    }
    const id = `webhook/${cleanName(shown)}`;
    if (!people.has(id)) {
      yield { ...people.add(id, [shown], { isBot: true }), username: cleanName(shown) };
    }
    return id;
  }

  *#reactions(
    { reactions }: MattermostReply,
    names: MattermostNames,
  ): Generator<PersonRecord | SkippedRecord, FormReaction[]> {
    const { people, emoji } = this.#installation;
    const found = new Map<string, FormReaction>();
    for (const { user, emoji_name: name } of reactions ?? []) {
      const unicode = mattermostEmoji(name);
      const own = unicode === null ? names.emoji(name) : undefined;
      if (unicode === null && own === undefined) {
        const reason = emoji.has(name) ? "custom emoji without a picture in the archive" : "unknown emoji";
        yield skipped("reaction", reason, name);
        continue;
      }
      yield* people.addUnknown(user);
      const shown = unicode === null ? { own: own ?? "" } : { unicode };
      const key = unicode ?? `:${own}:`;
      const reaction = found.get(key) ?? { emoji: shown, count: 0, people: [] };
      if (!reaction.people.includes(user)) reaction.people.push(user);
      found.set(key, { ...reaction, count: reaction.people.length });
    }
    return [...found.values()];
  }
}

const isTrue = (value: unknown): boolean => value === true || value === "true";

/** Attachments have Slack's form, with texts in Markdown. */
function embedsOf({ props }: MattermostReply, convert: ConvertMarkup): MessageRecord["embeds"] {
  if (!Array.isArray(props?.attachments)) return [];
  const { data } = slackPayload.safeParse({ attachments: props.attachments });
  return storedEmbeds((data?.attachments ?? []).flatMap((attachment) => slackEmbeds(attachment, convert)));
}
