import type { Poll, ScheduledEvent, SentMessage } from "@parley/contracts";
import { v7 as uuidv7 } from "uuid";
import type { CreatePoll } from "../polls/schema.js";
import type { CreateEvent } from "../scheduled-events/schema.js";
import type { MessageDraft } from "./draft.js";
import { idPlaceholder, timePlaceholder } from "./event-placeholders.js";
import type { SendContext } from "./send-context.js";

/** A message before it is stored: placeholders stand for its id and its time. */
export function newMessage(
  draft: MessageDraft,
  context: Pick<SendContext, "mentionUserIds" | "mentionEveryone">,
): SentMessage {
  return {
    id: idPlaceholder,
    channel_id: draft.channelId,
    author_id: draft.authorId,
    content: draft.content,
    reply_to: draft.replyTo ?? null,
    mention_user_ids: context.mentionUserIds,
    mention_everyone: context.mentionEveryone,
    thread_id: draft.threadId ?? null,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: timePlaceholder,
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: draft.poll === undefined ? null : newPoll(draft.poll),
    event: draft.event === undefined ? null : newEvent(draft.event, draft.authorId),
    nonce: draft.nonce ?? undefined,
  };
}

/** Nothing is ordered by the ids of polls and options, so this process may make them. */
function newPoll({ question, options }: CreatePoll): Poll {
  return {
    id: uuidv7(),
    question,
    options: options.map((text) => ({ id: uuidv7(), text, votes: 0 })),
    total_votes: 0,
    user_vote: null,
  };
}

/** Nothing is ordered by the ids and times of scheduled events, so this process may make them. */
function newEvent({ name, description, starts_at }: CreateEvent, authorId: string): ScheduledEvent {
  return {
    id: uuidv7(),
    name,
    description: description ?? null,
    starts_at: starts_at.toISOString(),
    created_by: authorId,
    created_at: new Date().toISOString(),
  };
}
