import type { SessionClaim } from "@parley/auth";
import type { ComponentRows, MessageWebhook, StoredEmbed } from "@parley/contracts";
import type { AnsweredInteraction } from "@parley/interactions";
import type { SentFiles } from "../../platform/files/message-form.js";
import type { StoredForward } from "../core/forwarded-repository.js";
import type { CreatePoll } from "../polls/schema.js";
import type { CreateEvent } from "../scheduled-events/schema.js";

/** The users and roles that a message may mention among those that its text names. */
export interface AllowedMentions {
  everyone: boolean;
  /** All users, or those with these ids. */
  users: boolean | readonly string[];
  /** All roles, or those with these ids. */
  roles: boolean | readonly string[];
}

/** A message, thread reply, poll or scheduled event to be sent, with valid syntax. */
export interface MessageDraft {
  authorId: string;
  /** The part of the author's session that the context's statement is to confirm; absent or null for nothing. */
  session?: SessionClaim | null;
  channelId: string;
  content: string;
  /** Message replied to. */
  replyTo?: string | null | undefined;
  /** Root message of the thread that this is a reply in. */
  threadId?: string | null | undefined;
  /** Makes the request safe to repeat (docs/protocol/repetition.md#21). */
  nonce?: string | null | undefined;
  /** The sender gave no nonce: the one of the draft serves its repetition alone, and nobody gets it. */
  hidesNonce?: boolean;
  /** Stored with the message. */
  poll?: CreatePoll | undefined;
  /** Stored with the message. */
  event?: CreateEvent | undefined;
  /** Answered with the message, in the same statement. Slow mode does not apply. */
  interaction?: AnsweredInteraction | undefined;
  /** The message that this one forwards; its files are `files`. */
  forwarded?: StoredForward | undefined;
  /** Attached to the message; without them, it has text, embeds or components. */
  files?: SentFiles | undefined;
  /** Only bots and incoming webhooks send them (docs/protocol/apps.md#25.4). */
  embeds?: readonly StoredEmbed[] | null | undefined;
  components?: ComponentRows | null | undefined;
  /** Whether the author may send embeds and components. */
  mayEmbed?: boolean | undefined;
  /** The incoming webhook that sends it, as the message shows it. */
  webhook?: MessageWebhook | undefined;
  /** The allowed mentions, where the sender restricts them (docs/protocol/webhooks.md#25.5). */
  allowedMentions?: AllowedMentions | undefined;
}
