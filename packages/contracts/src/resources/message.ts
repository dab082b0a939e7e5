import { z } from "zod";
import { attachmentsMax } from "../attachments.js";
import { listedReactionsMax } from "../caps.js";
import { isStorableText } from "../text.js";
import { Attachment } from "./attachment.js";
import { componentLimits, componentRows } from "./component.js";
import { Embed, embedLimits, MessageWebhook } from "./embed.js";
import { timestamp, uuid, uuidExample } from "./identifiers.js";
import { LinkPreview } from "./link-preview.js";
import { avatarUrl, botMark, displayName, username, webhookMark } from "./user.js";

/** Text of a message; empty when the message is deleted (docs/protocol/objects.md#4.11). */
export const messageContentField = z.string().meta({ maxLength: 4000, example: "Hello @bob" });

/** A poll; `user_vote` is the recipient's own vote (docs/protocol/objects.md#4.12). */
export const Poll = z
  .object({
    id: uuid,
    question: z.string().meta({ minLength: 1, maxLength: 500, example: "Which opening?" }),
    options: z
      .array(
        z.object({
          id: uuid,
          text: z.string().meta({ minLength: 1, maxLength: 200, example: "Queen's Gambit" }),
          votes: z.int().meta({ minimum: 0, example: 3 }),
        }),
      )
      .meta({ minItems: 2, maxItems: 10 }),
    total_votes: z.int().meta({ minimum: 0, example: 3 }),
    user_vote: uuid.nullable().meta({ description: "The option of whoever receives the object; the first of several" }),
    multiple: z
      .int()
      .optional()
      .meta({ minimum: 1, maximum: 10, example: 2, description: "Choices of a voter, where it was set" }),
    user_votes: z.array(uuid).optional().meta({
      description: "The options of whoever receives the object, where `multiple` or an end was set",
    }),
    ends_at: timestamp.optional().meta({ description: "Where an end was set" }),
    ended: z.boolean().optional().meta({ description: "Where an end was set" }),
  })
  .meta({ id: "Poll" });
export type Poll = z.infer<typeof Poll>;

/** A scheduled event as its message shows it (docs/protocol/communities.md#18.3). */
export const ScheduledEvent = z
  .object({
    id: uuid,
    name: z.string().meta({ minLength: 1, maxLength: 200, example: "Club championship" }),
    description: z.string().nullable().meta({ maxLength: 2000, example: "Bring a clock" }),
    starts_at: timestamp,
    created_by: uuid.nullable(),
    created_at: timestamp,
    ends_at: timestamp.optional().meta({ description: "Where it was set" }),
    place: z.string().optional().meta({ maxLength: 200, example: "Club house", description: "Where it was set" }),
    voice_channel_id: uuid.optional().meta({ description: "Where it was set; the channel may be gone" }),
    interested_count: z.int().optional().meta({ minimum: 0, example: 12, description: "From the first interest on" }),
    me: z.boolean().optional().meta({
      description: "Whether the recipient is interested, from the first interest on; not in gateway events",
    }),
  })
  .meta({ id: "ScheduledEvent" });
export type ScheduledEvent = z.infer<typeof ScheduledEvent>;

/** A scheduled event in the list of a server (docs/protocol/communities.md#18.3). */
export const ListedEvent = ScheduledEvent.extend({ channel_id: uuid, message_id: uuid }).meta({ id: "ListedEvent" });
export type ListedEvent = z.infer<typeof ListedEvent>;

/** The address of a calendar, which has the secret (docs/protocol/communities.md#18.3). */
export const Calendar = z
  .object({
    url: z.url().meta({ example: "https://chat.example.com/calendars/9wz4VqJYyxkQb3c0RkFq1mI0pX7n5tUeS2aLh8dGvNo" }),
  })
  .meta({ id: "Calendar" });
export type Calendar = z.infer<typeof Calendar>;

/** The interaction that a message of a bot answers, with its invoker (docs/protocol/apps.md#25.3). */
export const MessageInteraction = z
  .object({
    id: uuid,
    user_id: uuid,
    name: z.string().meta({ description: "Of the command that it began with", example: "play" }),
  })
  .meta({ id: "MessageInteraction", description: "Of a bot's answer to an interaction only" });
export type MessageInteraction = z.infer<typeof MessageInteraction>;

/** The author of a message, so that a client need not ask for them (docs/protocol/events.md#23.4). */
export const MessageAuthor = z
  .object({
    id: uuid,
    username,
    nickname: z.string().nullable().meta({ description: "In the server of the message; null in direct messages" }),
    avatar_url: avatarUrl,
    ...displayName,
    ...botMark,
    ...webhookMark,
  })
  .meta({ id: "MessageAuthor" });
export type MessageAuthor = z.infer<typeof MessageAuthor>;

/** The author of a message, beside the message. */
export const authorField = MessageAuthor.nullable().meta({ description: "Null when the account is gone" });

/** The message that a message forwards, as it was then (docs/protocol/later.md#33.4). */
export const ForwardedMessage = z
  .object({
    server_id: uuid.nullable().meta({ description: "Null for a direct message" }),
    channel_id: uuid,
    message_id: uuid,
    author: authorField,
    content: messageContentField,
    attachments: z.array(Attachment).meta({ maxItems: attachmentsMax, description: "Copies of its files" }),
    created_at: timestamp,
  })
  .meta({ id: "ForwardedMessage" });
export type ForwardedMessage = z.infer<typeof ForwardedMessage>;

/** Key of a message that forwards another one, for connections with `v=2` and in answers. */
export const forwardedKey = {
  forwarded: ForwardedMessage.optional().meta({ description: "The message that it forwards; absent otherwise" }),
};

/**
 * Keys of a message for connections with `v=2` and in answers, where they say something: nothing else has them
 * (docs/protocol/messages.md#33.3).
 */
const newerMessageKeys = {
  mention_role_ids: z
    .array(uuid)
    .optional()
    .meta({ minItems: 1, description: "Roles mentioned, in order of first mention; absent when there are none" }),
  mention_here: z
    .literal(true)
    .optional()
    .meta({ description: "It mentions the members who were connected when it was stored; absent otherwise" }),
  ...forwardedKey,
};

/** A message of a server channel (docs/protocol/objects.md#4.11). */
export const Message = z
  .object({
    id: uuid,
    channel_id: uuid,
    author_id: uuid.nullable().meta({ example: uuidExample }),
    content: messageContentField,
    reply_to: uuid.nullable(),
    mention_user_ids: z.array(uuid).meta({ description: "Members mentioned, in order of first mention" }),
    mention_everyone: z.boolean(),
    thread_id: uuid.nullable().meta({ description: "Root message, on thread replies only" }),
    thread_reply_count: z.int().meta({ minimum: 0, example: 0 }),
    edited_at: timestamp.nullable(),
    deleted: z.boolean(),
    created_at: timestamp,
    pinned: z.boolean(),
    pinned_by: uuid.nullable(),
    pinned_at: timestamp.nullable(),
    poll: Poll.nullable(),
    event: ScheduledEvent.nullable(),
    interaction: MessageInteraction.optional(),
    embeds: z.array(Embed).optional().meta({
      minItems: 1,
      maxItems: embedLimits.embeds,
      description: "Of bots and incoming webhooks; absent when there are none",
    }),
    components: componentRows.optional().meta({
      minItems: 1,
      maxItems: componentLimits.rows,
      description: "Of bots, in rows; absent when there are none",
    }),
    parts_left_out: z.literal(true).optional().meta({
      description:
        "In lists: it has embeds or components, and the list has no room for them; the message alone has them",
    }),
    webhook: MessageWebhook.optional(),
    ...newerMessageKeys,
  })
  .meta({ id: "Message" });
export type Message = z.infer<typeof Message>;

/** Code points of a nonce (docs/protocol/repetition.md#21). */
export const nonceLengthMax = 64;

/** Extra key of a message that was sent with a nonce, in the answer and in the create event, always the last one. */
export const nonceField = {
  nonce: z
    .string()
    .optional()
    .meta({ minLength: 1, maxLength: nonceLengthMax, description: "As sent; only if one was sent", example: "a81f-3" }),
};

/**
 * Payload of MESSAGE_DELETE and of the webhook event message.deleted (docs/protocol/events.md#14.5, docs/protocol/webhooks.md#13.2).
 */
export const DeletedMessage = z.object({ id: uuid, channel_id: uuid }).meta({ id: "DeletedMessage" });
export type DeletedMessage = z.infer<typeof DeletedMessage>;

/** The emoji of a reaction (docs/protocol/objects.md#4.13). */
export const reactionEmoji = z.string().meta({ description: "Unicode emoji or `c:<custom emoji id>`", example: "👍" });

const reactionEmojiBytesMax = 64;

/** Whether a text has the length of a reaction: 1 to 64 bytes of UTF-8 (docs/protocol/messages.md#7.3). */
export function isReactionEmoji(text: string): boolean {
  const bytes = new TextEncoder().encode(text).length;
  return isStorableText(text) && bytes >= 1 && bytes <= reactionEmojiBytesMax;
}

/** Aggregated reactions of one emoji on a message (docs/protocol/objects.md#4.13). */
export const ReactionCount = z
  .object({
    emoji: reactionEmoji,
    count: z.int().meta({ minimum: 1, example: 2 }),
    me: z.boolean().meta({ description: "Whether the caller is among them" }),
  })
  .meta({ id: "ReactionCount" });
export type ReactionCount = z.infer<typeof ReactionCount>;

/** Somebody who reacted with an emoji (docs/protocol/messages.md#28.7). */
export const Reactor = z.object({ id: uuid, username, avatar_url: avatarUrl, ...displayName }).meta({ id: "Reactor" });
export type Reactor = z.infer<typeof Reactor>;

/** Fields that events of a server's message have beside it. */
const eventFields = { server_id: uuid, author: authorField };

/** A message as its author has it. */
export const SentMessage = Message.extend({
  attachments: z.array(Attachment).optional().meta({
    minItems: 1,
    maxItems: 10,
    description: "The files that were sent with it; absent when none were",
  }),
  ...nonceField,
}).meta({ id: "SentMessage" });
export type SentMessage = z.infer<typeof SentMessage>;

/** Payload of MESSAGE_CREATE and THREAD_MESSAGE_CREATE (docs/protocol/events.md#23.4). */
export const NewMessage = SentMessage.extend(eventFields).meta({ id: "NewMessage" });
export type NewMessage = z.infer<typeof NewMessage>;

/** Payload of MESSAGE_UPDATE (docs/protocol/events.md#23.4). */
export const EditedMessage = Message.extend(eventFields).meta({ id: "EditedMessage" });
export type EditedMessage = z.infer<typeof EditedMessage>;

/** Link cards of a message, at most. */
export const messagePreviewsMax = 3;

/** The link cards of a message, in the order of its links (docs/protocol/messages.md#28.11). */
export const messagePreviews = z.array(LinkPreview).meta({ maxItems: messagePreviewsMax });

/** A message with the details that `include` names (docs/protocol/messages.md#7.1). */
export const DetailedMessage = Message.extend({
  reactions: z
    .array(ReactionCount)
    .optional()
    .meta({
      maxItems: listedReactionsMax,
      description: `With \`include=reactions\`; absent on a message with more than ${listedReactionsMax} different emoji`,
    }),
  attachments: z.array(Attachment).optional().meta({ maxItems: 10, description: "With `include=attachments`" }),
  previews: messagePreviews.optional().meta({ maxItems: messagePreviewsMax, description: "With `include=previews`" }),
  server_id: uuid.optional().meta({ description: "With `include=author`" }),
  author: authorField.optional().meta({ description: "With `include=author`; null when the account is gone" }),
}).meta({ id: "DetailedMessage" });
export type DetailedMessage = z.infer<typeof DetailedMessage>;

/** A page of search results (docs/protocol/messages.md#7.7). */
export const SearchPage = z
  .object({
    results: z.array(
      z.object({
        id: uuid,
        channel_id: uuid,
        author_id: uuid.nullable(),
        author_username: z.string().nullable(),
        content: messageContentField,
        highlight: z.string().meta({ description: "Escaped HTML", example: "Hello <mark>bob</mark>" }),
        created_at: timestamp,
        rank: z.number().meta({ description: "Higher is better", example: 0.06 }),
      }),
    ),
    total: z.int().meta({ minimum: 0, description: "All matches, whatever the page", example: 1 }),
    has_more: z.boolean(),
    next_cursor: uuid.nullable().meta({ description: "`before` of the next page" }),
  })
  .meta({ id: "SearchPage" });
export type SearchPage = z.infer<typeof SearchPage>;
