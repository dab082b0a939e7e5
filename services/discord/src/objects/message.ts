import type {
  Attachment,
  DetailedMessage,
  DmMessage,
  Embed,
  InteractionMessage,
  SentMessage,
  StoredEmbed,
} from "@parley/contracts";
import {
  type APIAttachment,
  type APIMessage,
  type APIReaction,
  type APIUser,
  InteractionType,
  MessageFlags,
  MessageReferenceType,
  MessageType,
} from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { type Names, noNames } from "../text/names.js";
import { toDiscordText } from "../text/to-discord.js";
import { type ThreadFields, toThread } from "./channel.js";
import { toComponents } from "./components.js";
import { toEmbed, toLinkEmbed } from "./embed.js";
import { type KnownEmoji, toReactionEmoji } from "./emoji.js";
import { toPoll } from "./poll.js";
import { goneUser, toUser, type UserFields } from "./user.js";

/** The context that messages are shown with. */
export interface MessageContext {
  /** The address of the installation, without a slash at its end. */
  readonly origin: string;
  /** UUID of the bot's account: the application of its own answers. */
  readonly botUserId: string;
  /** The server of the channel; null in direct messages. */
  readonly serverId: string | null;
  /** People whom messages name, and authors where messages do not bring them, by UUID. */
  readonly users: ReadonlyMap<string, UserFields>;
  readonly names: Names;
  /** Custom emoji by UUID. */
  readonly emojis: ReadonlyMap<string, KnownEmoji>;
  /** Threads by their root messages. */
  readonly threads: ReadonlyMap<string, ThreadFields>;
}

/** A message of a channel, from a list, an answer or an event. */
export type AnyMessage = Partial<Omit<DetailedMessage, "reply_to" | "embeds">> &
  Pick<DetailedMessage, "id" | "channel_id" | "author_id" | "content" | "created_at" | "edited_at"> & {
    reply_to?: string | null | undefined;
    embeds?: readonly (Embed | StoredEmbed)[];
  } & Pick<Partial<SentMessage>, "nonce"> &
  Pick<Partial<InteractionMessage>, "ephemeral">;

/** The address of a path that is relative to the API's base. */
export const addressOf =
  (origin: string) =>
  (path: string): string =>
    path.startsWith("/") ? `${origin}${path.startsWith("/api/") ? "" : "/api"}${path}` : path;

/**
 * Discord's message (docs/discord.md#rest).
 *
 * @param referenced the message that it replies to: null when that is gone, undefined when nobody looked
 */
export function toMessage(
  message: AnyMessage | DmMessage,
  context: MessageContext,
  referenced?: APIMessage | null,
): APIMessage {
  const own: AnyMessage = message;
  const { serverId, names, origin } = context;
  const readText = (text: string) => toDiscordText(text, names);
  const pathToAddress = addressOf(origin);
  const placeId = snowflakeOf(own.thread_id ?? own.channel_id);
  const replyTo = own.reply_to ?? null;
  const isAnswer = own.interaction !== undefined;
  const thread = context.threads.get(own.id);
  return {
    id: snowflakeOf(own.id),
    channel_id: placeId,
    type: isAnswer ? MessageType.ChatInputCommand : replyTo === null ? MessageType.Default : MessageType.Reply,
    author: authorOf(own, context),
    content: toDiscordText(contentOf(own), serverId === null ? { ...noNames, users: names.users } : names),
    timestamp: own.created_at,
    edited_timestamp: own.edited_at,
    tts: false,
    mention_everyone: own.mention_everyone === true || own.mention_here === true,
    mentions: withReplied(mentionsOf(own, context), own, referenced),
    mention_roles: (own.mention_role_ids ?? []).map(snowflakeOf),
    attachments: [...(own.attachments ?? []), ...(own.forwarded?.attachments ?? [])].map((attachment) =>
      toAttachment(attachment, pathToAddress),
    ),
    embeds: [
      ...(own.embeds ?? []).map((embed) => toEmbed(embed, { addressOf: pathToAddress, readText })),
      ...(own.previews ?? []).map(toLinkEmbed),
    ],
    components: toComponents(own.components ?? []),
    pinned: own.pinned ?? false,
    flags: flagsOf(own),
    ...(own.reactions === undefined || own.reactions.length === 0 ? {} : { reactions: reactionsOf(own, context) }),
    ...(own.nonce === undefined ? {} : { nonce: own.nonce }),
    ...(own.webhook === undefined ? {} : { webhook_id: snowflakeOf(own.webhook.id) }),
    ...(own.poll ? { poll: toPoll(own.poll) } : {}),
    ...(replyTo === null
      ? {}
      : {
          message_reference: {
            type: MessageReferenceType.Default,
            message_id: snowflakeOf(replyTo),
            channel_id: placeId,
            ...(serverId === null ? {} : { guild_id: snowflakeOf(serverId) }),
          },
          ...(referenced === undefined ? {} : { referenced_message: referenced }),
        }),
    ...(isAnswer ? interactionOf(own, context) : {}),
    ...(thread === undefined ? {} : { thread: toThread(thread) }),
  };
}

/** Polls have a text that was not written by anybody. A text that is forwarded stands behind the own one. */
const contentOf = ({ content, poll, forwarded }: AnyMessage): string => {
  if (forwarded !== undefined) return [content, forwarded.content].filter((text) => text !== "").join("\n");
  return poll && content === `📊 Poll: ${poll.question}` ? "" : content;
};

function authorOf({ id, author_id, author, webhook }: AnyMessage, { users }: MessageContext): APIUser {
  if (webhook !== undefined) {
    // Discord's authors of webhooks have the id of the webhook.
    return toUser({ id: webhook.id, username: webhook.name, avatar_url: webhook.avatar_url, is_webhook: true });
  }
  const known = author ?? (author_id === null ? undefined : users.get(author_id));
  return known === undefined || !isShown(known) ? goneUser(id) : toUser(known);
}

function mentionsOf({ mention_user_ids = [] }: AnyMessage, { users }: MessageContext): APIUser[] {
  return mention_user_ids.flatMap((id) => {
    const user = users.get(id);
    return user === undefined || !isShown(user) ? [] : [toUser(user)];
  });
}

/** A reply mentions the author whom it replies to (docs/protocol/notifications.md#26.1), but not a webhook or oneself. */
function withReplied(
  mentions: APIUser[],
  { author_id }: AnyMessage,
  replied: APIMessage | null | undefined,
): APIUser[] {
  const isSomebody = replied && replied.webhook_id === undefined && replied.author.id !== snowflakeOf(author_id ?? "");
  if (!isSomebody || mentions.some(({ id }) => id === replied.author.id)) return mentions;
  return [...mentions, replied.author];
}

function flagsOf({ ephemeral, thread_reply_count = 0 }: AnyMessage): MessageFlags {
  return (ephemeral ? MessageFlags.Ephemeral : 0) | (thread_reply_count > 0 ? MessageFlags.HasThread : 0);
}

/** Discord's attachment. */
export function toAttachment(attachment: Attachment, pathToAddress: (path: string) => string): APIAttachment {
  const { id, filename, file_size, mime_type, width, height } = attachment;
  const url = pathToAddress(attachment.url);
  const size = width === null || height === null ? {} : { width, height };
  return { id: snowflakeOf(id), filename, size: file_size, content_type: mime_type, url, proxy_url: url, ...size };
}

function reactionsOf({ reactions = [] }: AnyMessage, { emojis }: MessageContext): APIReaction[] {
  return reactions.map(({ emoji, count, me }) => ({
    emoji: toReactionEmoji(emoji, (id) => emojis.get(id)),
    count,
    count_details: { burst: 0, normal: count },
    me,
    me_burst: false,
    burst_colors: [],
  }));
}

function interactionOf({ interaction, author_id }: AnyMessage, { users, botUserId, serverId }: MessageContext) {
  if (interaction === undefined) return {};
  const user = toUser(users.get(interaction.user_id) ?? unknownUser(interaction.user_id));
  const id = snowflakeOf(interaction.id);
  // Bots are added to servers, not to accounts.
  const owners = serverId === null ? {} : { 0: snowflakeOf(serverId) };
  return {
    ...(author_id === botUserId ? { application_id: snowflakeOf(botUserId) } : {}),
    interaction: { id, type: InteractionType.ApplicationCommand, name: interaction.name, user },
    interaction_metadata: {
      id,
      type: InteractionType.ApplicationCommand,
      user,
      authorizing_integration_owners: owners,
    } as const,
  };
}

/** A user who is known by id only. */
export const unknownUser = (id: string): UserFields => ({ id, username: "unknown", avatar_url: null });
