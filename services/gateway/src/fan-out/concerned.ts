import type { ReceivedEvent } from "@parley/messaging";
import { z } from "zod";

/** The part of MESSAGE_CREATE and THREAD_MESSAGE_CREATE that says whom the message concerns. */
const Message = z.object({
  d: z.object({
    id: z.string(),
    author_id: z.string().nullable(),
    mention_user_ids: z.array(z.string()),
    mention_everyone: z.boolean(),
    thread_id: z.string().nullable(),
    created_at: z.string(),
  }),
});

const Edited = z.object({
  d: z.object({ id: z.string(), mention_user_ids: z.array(z.string()), mention_everyone: z.boolean() }),
});

/** A new message of a server's channel, as far as the fan-out and the counts of unread messages need it. */
export type SentMessage = z.infer<typeof Message>["d"];

const sentMessages = new WeakMap<ReceivedEvent, SentMessage | null>();

/** The message of an event; null for an event that brings none. Read once, however often an event is replayed. */
export function sentMessageOf(event: ReceivedEvent): SentMessage | null {
  const known = sentMessages.get(event);
  if (known !== undefined) return known;
  const { event: name } = event.address;
  if (name !== "MESSAGE_CREATE" && name !== "THREAD_MESSAGE_CREATE") return null;
  // One of a newer version may lack something: then it concerns nobody by name.
  const message = Message.safeParse(JSON.parse(Buffer.from(event.body).toString())).data?.d ?? null;
  sentMessages.set(event, message);
  return message;
}

/** Whether an event is sent wherever a user is: it mentions everyone. */
export const concernsEveryone = (event: ReceivedEvent): boolean => sentMessageOf(event)?.mention_everyone === true;

/** The message of MESSAGE_UPDATE; null for one that lacks something. */
export function editedMessageOf({ body }: ReceivedEvent): z.infer<typeof Edited>["d"] | null {
  return Edited.safeParse(JSON.parse(Buffer.from(body).toString())).data?.d ?? null;
}

/**
 * The users whom an event of a channel concerns by name: whom a message mentions, whose message it answers, and who wrote
 * it (docs/interface.md#27). Who follows its thread is left to the caller.
 */
export function concernedUsers(event: ReceivedEvent): string[] {
  const message = sentMessageOf(event);
  if (message === null) return [];
  const others = [message.author_id, event.answers].filter((id) => id !== null);
  return [...new Set([...message.mention_user_ids, ...others])];
}
