import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { InboxActor } from "./inbox.js";
import { DetailedMessage, Message } from "./message.js";

/** Code points of the title of a thread, at most. */
export const threadTitleLengthMax = 100;
/** Participants that a thread names. */
export const threadParticipantsMax = 5;

const count = z.int().meta({ minimum: 0, example: 2 });
const fields = {
  id: uuid.meta({ description: "Of the root message" }),
  channel_id: uuid,
  title: z.string().nullable().meta({ minLength: 1, maxLength: threadTitleLengthMax, example: "The hall" }),
  reply_count: count,
  last_reply_at: timestamp,
  participants: z
    .array(InboxActor)
    .meta({ maxItems: threadParticipantsMax, description: "Who replied last, the latest first" }),
  closed: z.boolean(),
  created_by: InboxActor.nullable().meta({ description: "The author of the root; null when the account is gone" }),
};

/** A thread as somebody sees it (docs/protocol/messages.md#33.2). */
export const Thread = z
  .object({ ...fields, root: DetailedMessage, followed: z.boolean(), unread_count: count, mention_count: count })
  .meta({ id: "Thread" });
export type Thread = z.infer<typeof Thread>;

/** A page of threads, the one with the latest reply first. */
export const ThreadPage = z.object({ threads: z.array(Thread) }).meta({ id: "ThreadPage" });
export type ThreadPage = z.infer<typeof ThreadPage>;

/** Payload of THREAD_UPDATE: what is the same for everybody. */
export const ThreadChange = z.object({ ...fields, root: Message });
export type ThreadChange = z.infer<typeof ThreadChange>;
