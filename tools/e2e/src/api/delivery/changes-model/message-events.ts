import type { ClientEventName, EventPayload } from "@parley/contracts";
import {
  type ChannelLists,
  type ComparedMessage,
  filter,
  type Lists,
  leaveToCounting,
  put,
  type ServerLists,
  toMessage,
  type Viewer,
  without,
} from "./lists.js";
import { withAttachments, withoutReaction, withReaction } from "./message-details.js";

type MessageChange<Name extends ClientEventName> = (lists: Lists, d: EventPayload<Name>, viewer: Viewer) => Lists;

/** Changes the server of a channel whose lists have been read. */
function inChannelsServer(lists: Lists, channelId: string, change: (of: ServerLists) => Partial<ServerLists>): Lists {
  const entry = Object.entries(lists.servers).find(([, { contents }]) => contents[channelId] !== undefined);
  if (entry === undefined) return lists;
  const [id, of] = entry;
  return { ...lists, servers: put(lists.servers, id, { ...of, ...change(of) }) };
}

/** Changes the lists of a channel. */
function inChannel(lists: Lists, id: string, change: (of: ChannelLists) => Partial<ChannelLists>): Lists {
  return inChannelsServer(lists, id, ({ contents }) => {
    const of = contents[id];
    return of === undefined ? {} : { contents: put(contents, id, { ...of, ...change(of) }) };
  });
}

/** Changes one message, if the list has it. */
function inMessage(
  lists: Lists,
  { channel_id, message_id }: { channel_id: string; message_id: string },
  change: (message: ComparedMessage) => Partial<ComparedMessage>,
): Lists {
  return inChannel(lists, channel_id, ({ messages }) => {
    const message = messages[message_id];
    if (message === undefined) return {};
    return { messages: put(messages, message_id, toMessage({ ...message, ...change(message) })) };
  });
}

/** Changes the number of replies that a root shows. */
function countReply(lists: Lists, { channel_id, thread_id }: ComparedMessage, by: number): Lists {
  if (thread_id === null) return lists;
  return inMessage(lists, { channel_id, message_id: thread_id }, ({ thread_reply_count }) => ({
    thread_reply_count: thread_reply_count + by,
  }));
}

function find(lists: Lists, { channel_id, id }: { channel_id: string; id: string }): ComparedMessage | undefined {
  return Object.values(lists.servers).find(({ contents }) => contents[channel_id] !== undefined)?.contents[channel_id]
    ?.messages[id];
}

function add(lists: Lists, message: ComparedMessage): Lists {
  const { id, channel_id } = message;
  if (find(lists, message) !== undefined) return lists;
  const added = inChannel(lists, channel_id, ({ messages }) => ({ messages: put(messages, id, toMessage(message)) }));
  return countReply(added, message, 1);
}

function remove(lists: Lists, channel_id: string, id: string): Lists {
  const message = find(lists, { channel_id, id });
  const left = inChannel(lists, channel_id, ({ messages, pins }) => ({
    messages: filter(messages, (one) => one.id !== id && one.thread_id !== id),
    pins: filter(pins, (_, pinned) => pinned !== id),
  }));
  const counted = message === undefined ? left : countReply(left, message, -1);
  return leaveToCounting(counted, channel_id);
}

/** The changes by events of messages, reactions, pins, polls, attachments and scheduled events. */
export const messageEvents = {
  MESSAGE_CREATE: (lists, message) => {
    const { channel_id, event, id: message_id } = message;
    if (find(lists, message) !== undefined) return lists;
    const added = add(leaveToCounting(lists, channel_id), message);
    if (event === null) return added;
    return inChannelsServer(added, channel_id, ({ events }) => ({
      events: put(events, event.id, { ...event, channel_id, message_id }),
    }));
  },
  THREAD_MESSAGE_CREATE: (lists, message) => {
    const { channel_id, thread_id } = message;
    // Somebody deleted the root meanwhile, and with it the thread.
    const hasRoot = thread_id !== null && find(lists, { channel_id, id: thread_id }) !== undefined;
    return hasRoot ? add(lists, message) : lists;
  },
  MESSAGE_UPDATE: (lists, message) =>
    inMessage(lists, { channel_id: message.channel_id, message_id: message.id }, () => message),
  MESSAGE_DELETE: (lists, { channel_id, id }) => remove(lists, channel_id, id),
  MESSAGE_DELETE_BULK: (lists, { channel_id, ids }) => ids.reduce((left, id) => remove(left, channel_id, id), lists),
  ATTACHMENT_CREATE: (lists, d) => inMessage(lists, d, (message) => withAttachments(message, d)),
  MESSAGE_PREVIEWS: (lists, d) => inMessage(lists, d, () => ({ previews: d.previews })),
  REACTION_ADD: (lists, d, viewer) => inMessage(lists, d, (message) => withReaction(message, d, viewer)),
  REACTION_REMOVE: (lists, d, viewer) => inMessage(lists, d, (message) => withoutReaction(message, d, viewer)),
  MESSAGE_PIN: (lists, d) => {
    const { channel_id, message_id, pinned_by, pinned_at } = d;
    const marked = inMessage(lists, d, () => ({ pinned: true, pinned_by, pinned_at }));
    return inChannel(marked, channel_id, ({ pins }) => ({ pins: put(pins, message_id, true) }));
  },
  MESSAGE_UNPIN: (lists, d) => {
    const marked = inMessage(lists, d, () => ({ pinned: false, pinned_by: null, pinned_at: null }));
    return inChannel(marked, d.channel_id, ({ pins }) => ({ pins: without(pins, d.message_id) }));
  },
  POLL_VOTE: (lists, d) => inMessage(lists, d, () => ({ poll: d.updated_poll })),
  POLL_END: (lists, d) => inMessage(lists, d, () => ({ poll: d.updated_poll })),
  EVENT_UPDATE: (lists, { channel_id, message_id, ...event }) => {
    const listed = { ...event, channel_id, message_id };
    const shown = inMessage(lists, listed, () => ({ event }));
    return inChannelsServer(shown, channel_id, ({ events }) => ({ events: put(events, event.id, listed) }));
  },
  EVENT_DELETE: (lists, { id, channel_id }) =>
    inChannelsServer(lists, channel_id, ({ events }) => ({ events: without(events, id) })),
} satisfies { readonly [Name in ClientEventName]?: MessageChange<Name> };
