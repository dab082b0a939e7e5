import type { MessageInteraction } from "@parley/contracts";
import type { SentFiles } from "../../files/message-form.js";
import type { CreatePoll } from "../polls/schema.js";
import type { CreateEvent } from "../scheduled-events/schema.js";

/** What a message of a bot answers. */
export interface DraftInteraction extends MessageInteraction {
  /** Stands the interaction otherwise when the message is to be stored, it is not. */
  expected: "pending" | "deferred" | "answered";
}

/** A message, thread reply, poll or scheduled event to be sent, with valid syntax. */
export interface MessageDraft {
  authorId: string;
  channelId: string;
  content: string;
  /** Message replied to. */
  replyTo?: string | null | undefined;
  /** Root message of the thread that this is a reply in. */
  threadId?: string | null | undefined;
  /** Makes the request safe to repeat (docs/interface.md#21). */
  nonce?: string | null | undefined;
  /** Stored with the message. */
  poll?: CreatePoll | undefined;
  /** Stored with the message. */
  event?: CreateEvent | undefined;
  /** Answered with the message, in the same statement. Slow mode does not apply. */
  interaction?: DraftInteraction | undefined;
  /** Attached to the message; without them, it has text. */
  files?: SentFiles | undefined;
}
