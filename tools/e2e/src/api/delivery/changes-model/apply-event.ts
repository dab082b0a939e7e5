import { type ClientEventName, type EventPayload, events } from "@parley/contracts";
import { dmEvents } from "./dm-events.js";
import { type Lists, put, toUser, type Viewer, without } from "./lists.js";
import { messageEvents } from "./message-events.js";
import { serverEvents } from "./server-events.js";

/** The change of a recipient's lists by an event. */
type Change<Name extends ClientEventName> = (lists: Lists, d: EventPayload<Name>, viewer: Viewer) => Lists;
type Changes = { readonly [Name in ClientEventName]: Change<Name> };

function messagesOf({ servers, dmMessages }: Lists, channelId: string): { created_at: string }[] {
  const contents = Object.values(servers).flatMap((server) => server.contents[channelId] ?? []);
  return [...contents.map(({ messages }) => messages), dmMessages[channelId] ?? {}].flatMap((list) =>
    Object.values(list),
  );
}

const nothing = (lists: Lists): Lists => lists;

/** The changes by which a client keeps the promise of docs/protocol/events.md#23.1. */
const changes: Changes = {
  ...messageEvents,
  ...dmEvents,
  ...serverEvents,
  FRIEND_UPDATE: (lists, { user, state }) => ({
    ...lists,
    friends: state === "none" ? without(lists.friends, user.id) : put(lists.friends, user.id, state),
  }),
  BLOCK_UPDATE: (lists, { user, blocked }) => ({
    ...lists,
    blocks: blocked ? put(lists.blocks, user.id, true) : without(lists.blocks, user.id),
  }),
  NOTIFICATIONS_UPDATE: (lists, notifications) => ({ ...lists, notifications }),
  USER_UPDATE: (lists, user) => ({ ...lists, me: toUser(user) }),
  READ_STATE_UPDATE: (lists, { channel_id, last_read_at, unread_count }) => {
    // A message that came before may have been stored after it was counted.
    const isCertain = messagesOf(lists, channel_id).every(({ created_at }) => created_at <= last_read_at);
    return { ...lists, unread: put(lists.unread, channel_id, isCertain ? unread_count : null) };
  },
  // In none of the lists.
  TYPING_START: nothing,
  PRESENCE_UPDATE: nothing,
  VOICE_STATE_UPDATE: nothing,
  VOICE_SIGNAL: nothing,
  VOICE_MOVE: nothing,
  EVENT_INTEREST_ADD: nothing,
  EVENT_INTEREST_REMOVE: nothing,
  POLL_VOTE_ADD: nothing,
  POLL_VOTE_REMOVE: nothing,
  THREAD_START: nothing,
  AUDIT_LOG_ENTRY_CREATE: nothing,
  GO_LIVE_START: nothing,
  GO_LIVE_STOP: nothing,
  SERVER_SETTINGS_UPDATE: nothing,
  COMMANDS_UPDATE: nothing,
  INBOX_UPDATE: nothing,
  THREAD_UPDATE: nothing,
  DRAFT_UPDATE: nothing,
  SAVED_UPDATE: nothing,
  REMINDER_UPDATE: nothing,
  SCHEDULED_MESSAGE_UPDATE: nothing,
  INTERACTION_CREATE: nothing,
  INTERACTION_UPDATE: nothing,
  REPORT_CREATE: nothing,
  REPORT_UPDATE: nothing,
  SERVER_RAID_START: nothing,
  SERVER_RAID_END: nothing,
};

/** The lists after an event; unchanged by a name of another version. */
export function applyEvent(lists: Lists, name: string, d: unknown, viewer: Viewer): Lists {
  return isKnown(name) ? applyKnown(lists, name, d, viewer) : lists;
}

function applyKnown<Name extends ClientEventName>(lists: Lists, name: Name, d: unknown, viewer: Viewer): Lists {
  if (!isPayload(name, d)) throw new Error(`The payload of ${name} breaks the contract: ${JSON.stringify(d)}`);
  return changes[name](lists, d, viewer);
}

function isKnown(name: string): name is ClientEventName {
  return Object.hasOwn(changes, name);
}

function isPayload<Name extends ClientEventName>(name: Name, d: unknown): d is EventPayload<Name> {
  return events[name].payload.safeParse(d).success;
}
