import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** A poll; `user_vote` is the option of whoever receives the object (4.12). */
export const Poll = z
  .object({
    id: uuid,
    question: z.string(),
    options: z.array(z.object({ id: uuid, text: z.string(), votes: z.int() })),
    total_votes: z.int(),
    user_vote: uuid.nullable(),
  })
  .meta({ id: "Poll" });
export type Poll = z.infer<typeof Poll>;

/** A message of a server channel (4.11). */
export const Message = z
  .object({
    id: uuid,
    channel_id: uuid,
    author_id: uuid.nullable(),
    content: z.string(),
    reply_to: uuid.nullable(),
    mention_user_ids: z.array(uuid),
    mention_everyone: z.boolean(),
    thread_id: uuid.nullable(),
    thread_reply_count: z.int(),
    edited_at: timestamp.nullable(),
    deleted: z.boolean(),
    created_at: timestamp,
    pinned: z.boolean(),
    pinned_by: uuid.nullable(),
    pinned_at: timestamp.nullable(),
    poll: Poll.nullable(),
    event: z.null(),
  })
  .meta({ id: "Message" });
export type Message = z.infer<typeof Message>;

/** What MESSAGE_DELETE and the webhook event message.deleted carry (14.5, 13.2). */
export const DeletedMessage = z.object({ id: uuid, channel_id: uuid }).meta({ id: "DeletedMessage" });
export type DeletedMessage = z.infer<typeof DeletedMessage>;

/** Aggregated reactions of one emoji on a message (4.13). */
export const ReactionCount = z
  .object({ emoji: z.string(), count: z.int(), me: z.boolean() })
  .meta({ id: "ReactionCount" });
export type ReactionCount = z.infer<typeof ReactionCount>;

/** A file attached to a message; `url` is signed and relative to the API base (4.14). */
export const Attachment = z
  .object({
    id: uuid,
    message_id: uuid,
    filename: z.string(),
    file_size: z.int(),
    mime_type: z.string(),
    url: z.string(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Attachment" });
export type Attachment = z.infer<typeof Attachment>;

/** A page of search results (7.7). */
export const SearchPage = z
  .object({
    results: z.array(
      z.object({
        id: uuid,
        channel_id: uuid,
        author_id: uuid.nullable(),
        author_username: z.string().nullable(),
        content: z.string(),
        highlight: z.string(),
        created_at: timestamp,
        rank: z.number(),
      }),
    ),
    total: z.int(),
    has_more: z.boolean(),
    next_cursor: uuid.nullable(),
  })
  .meta({ id: "SearchPage" });
export type SearchPage = z.infer<typeof SearchPage>;
