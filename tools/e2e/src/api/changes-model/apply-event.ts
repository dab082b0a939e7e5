import { type ClientEventName, type EventPayload, events } from "@parley/contracts";
import { countUnread, type Lists, put, toDm, toDmMessage, toUser, type Viewer, without } from "./lists.js";
import { messageEvents } from "./message-events.js";
import { serverEvents } from "./server-events.js";

/** What an event changes in the lists of whoever receives it. */
type Change<Name extends ClientEventName> = (lists: Lists, d: EventPayload<Name>, viewer: Viewer) => Lists;
type Changes = { readonly [Name in ClientEventName]: Change<Name> };

const nothing = (lists: Lists): Lists => lists;

/** What a client has to do with each event to keep the promise of docs/interface.md#23.1. */
const changes: Changes = {
  ...messageEvents,
  ...serverEvents,
  USER_UPDATE: (lists, user) => ({ ...lists, me: toUser(user) }),
  READ_STATE_UPDATE: (lists, { channel_id, unread_count }) => ({
    ...lists,
    unread: unread_count === 0 ? without(lists.unread, channel_id) : put(lists.unread, channel_id, unread_count),
  }),
  DM_CHANNEL_CREATE: (lists, dm) => ({
    ...lists,
    dms: put(lists.dms, dm.id, toDm(dm)),
    dmMessages: put(lists.dmMessages, dm.id, lists.dmMessages[dm.id] ?? {}),
  }),
  DM_MESSAGE_CREATE: (lists, message, { userId }) => {
    const { channel_id, created_at, author_id } = message;
    const [dm, messages] = [lists.dms[channel_id], lists.dmMessages[channel_id]];
    if (dm === undefined || messages === undefined || messages[message.id] !== undefined) return lists;
    return {
      ...countUnread(lists, channel_id, author_id !== userId),
      dms: put(lists.dms, channel_id, { ...dm, last_message_at: created_at }),
      dmMessages: put(lists.dmMessages, channel_id, put(messages, message.id, toDmMessage(message))),
    };
  },
  // In none of the lists.
  TYPING_START: nothing,
  PRESENCE_UPDATE: nothing,
  VOICE_STATE_UPDATE: nothing,
  VOICE_SIGNAL: nothing,
  GO_LIVE_START: nothing,
  GO_LIVE_STOP: nothing,
  SERVER_SETTINGS_UPDATE: nothing,
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
