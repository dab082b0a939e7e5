import type { ClientEventName, EventPayload } from "@parley/contracts";
import {
  type ComparedDmMessage,
  type Lists,
  leaveToCounting,
  put,
  toDm,
  toDmMessage,
  type Viewer,
  without,
} from "./lists.js";
import { withAttachments, withoutReaction, withReaction } from "./message-details.js";

type DmChange<Name extends ClientEventName> = (lists: Lists, d: EventPayload<Name>, viewer: Viewer) => Lists;

/** Changes one message, if the list has it. */
function inMessage(
  lists: Lists,
  { channel_id, message_id }: { channel_id: string; message_id: string },
  change: (message: ComparedDmMessage) => Partial<ComparedDmMessage>,
): Lists {
  const messages = lists.dmMessages[channel_id];
  const message = messages?.[message_id];
  if (messages === undefined || message === undefined) return lists;
  const changed = put(messages, message_id, toDmMessage({ ...message, ...change(message) }));
  return { ...lists, dmMessages: put(lists.dmMessages, channel_id, changed) };
}

/** The changes by events of direct messages. */
export const dmEvents = {
  DM_CHANNEL_CREATE: (lists, dm) => ({
    ...lists,
    dms: put(lists.dms, dm.id, toDm(dm)),
    // The client reads the history of a group that was there before; no event carries it.
    dmMessages:
      dm.last_message_at === null ? put(lists.dmMessages, dm.id, lists.dmMessages[dm.id] ?? {}) : lists.dmMessages,
  }),
  DM_CHANNEL_UPDATE: (lists, dm) => ({ ...lists, dms: put(lists.dms, dm.id, toDm(dm)) }),
  // For the other members an update of the group follows.
  DM_CHANNEL_LEAVE: (lists, { channel_id, user_id }, viewer) =>
    user_id !== viewer.userId
      ? lists
      : {
          ...lists,
          dms: without(lists.dms, channel_id),
          dmMessages: without(lists.dmMessages, channel_id),
          unread: without(lists.unread, channel_id),
        },
  DM_MESSAGE_CREATE: (lists, message) => {
    const { channel_id, created_at } = message;
    const [dm, messages] = [lists.dms[channel_id], lists.dmMessages[channel_id]];
    if (dm === undefined || messages?.[message.id] !== undefined) return lists;
    const told = messages && put(messages, message.id, toDmMessage(message));
    return {
      ...leaveToCounting(lists, channel_id),
      dms: put(lists.dms, channel_id, { ...dm, last_message_at: created_at }),
      // Where the history was not read, the message is read with it.
      dmMessages: told === undefined ? lists.dmMessages : put(lists.dmMessages, channel_id, told),
    };
  },
  DM_MESSAGE_UPDATE: (lists, message) =>
    inMessage(lists, { channel_id: message.channel_id, message_id: message.id }, () => message),
  DM_MESSAGE_DELETE: (lists, { channel_id, id }) => {
    const { [channel_id]: messages } = lists.dmMessages;
    // A history that was not read stays unread, and does not become an empty one.
    const left = messages === undefined ? lists.dmMessages : put(lists.dmMessages, channel_id, without(messages, id));
    return leaveToCounting({ ...lists, dmMessages: left }, channel_id);
  },
  DM_REACTION_ADD: (lists, d, viewer) => inMessage(lists, d, (message) => withReaction(message, d, viewer)),
  DM_REACTION_REMOVE: (lists, d, viewer) => inMessage(lists, d, (message) => withoutReaction(message, d, viewer)),
  DM_ATTACHMENT_CREATE: (lists, d) => inMessage(lists, d, (message) => withAttachments(message, d)),
} satisfies { readonly [Name in ClientEventName]?: DmChange<Name> };
