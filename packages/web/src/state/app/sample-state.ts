import type { Attachment, Channel, DispatchEvents, Member, Message, Ready, User } from "@parley/client";
import { withMembers } from "../community/user-events.js";
import { type AppState, emptyState } from "../store/app-state.js";
import { windowOf } from "../store/history.js";
import { onReady } from "../store/ready.js";
import { applyEvent } from "./events.js";

/** The user of the samples. */
export const me: User = {
  id: "me",
  username: "ann",
  email: null,
  avatar_url: null,
  bio: null,
  pronouns: null,
  status: "online",
  custom_status: null,
  activity: null,
  created_at: "2026-01-01T00:00:00.000Z",
  is_admin: false,
};

/** READY of a user with one server that another user owns. */
export const ready: Ready = {
  user: me,
  servers: [
    {
      id: "server",
      name: "Chess",
      owner_id: "owner",
      icon_url: null,
      is_public: true,
      require_invite: false,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    },
  ],
  dm_channels: [],
  unread_counts: [{ channel_id: "channel", unread_count: 3 }],
  mention_counts: [],
  server_roles: { server: [] },
  channel_overrides: {},
};

/** A text channel of that server. */
export const channel: Channel = {
  id: "channel",
  server_id: "server",
  name: "general",
  type: "text",
  position: 0,
  category: null,
  topic: null,
  created_at: "2026-01-01T00:00:00.000Z",
};

/** A picture of a message. */
export const picture = (message_id: string, id: string, url: string): Attachment => ({
  id,
  message_id,
  filename: "board.png",
  file_size: 1,
  mime_type: "image/png",
  url,
  width: 1,
  height: 1,
  created_at: "2026-01-02T00:00:00.000Z",
});

/** The state after READY, with the channel known. */
export const begun: AppState = {
  ...onReady(emptyState, ready),
  channels: { channel },
  channelIds: { server: ["channel"] },
};

/** A message of that channel; its id orders it. */
export function message(number: number, changes: Partial<Message> = {}): Message {
  return {
    id: `m${String(number).padStart(5, "0")}`,
    channel_id: "channel",
    author_id: "owner",
    content: `text ${number}`,
    reply_to: null,
    mention_user_ids: [],
    mention_everyone: false,
    thread_id: null,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: "2026-01-02T00:00:00.000Z",
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: null,
    event: null,
    ...changes,
  };
}

/** The payload of the message's event. */
export const asEvent = <M extends Message>(sent: M) => ({
  ...sent,
  server_id: "server",
  author: { id: "owner", username: "bob", nickname: null, avatar_url: null },
});

/** A member of the server with some roles. */
export function member(userId: string, roles: Member["roles"] = []): Member {
  return {
    user_id: userId,
    username: userId,
    avatar_url: null,
    status: "online",
    custom_status: null,
    activity: null,
    nickname: null,
    joined_at: "2026-01-01T00:00:00.000Z",
    timeout_expires_at: null,
    roles,
  };
}

/** A page with that channel open and its members read: the user and Bob. */
export const opened: AppState = {
  ...withMembers(begun, "server", [member("me"), member("bob")]),
  memberCounts: { server: { total: 2, online: 2 } },
  emojis: { server: [] },
  unread: {},
  histories: { channel: windowOf([message(2), message(1)], { hasOlder: false, hasNewer: false }) },
  pins: { channel: [] },
};

/** The state after an event. */
export function applied<Name extends keyof DispatchEvents>(
  state: AppState,
  name: Name,
  payload: DispatchEvents[Name],
): AppState {
  const change = applyEvent[name];
  if (change === null) throw new Error(`${name} changes nothing.`);
  return change(state, payload);
}

/** An event, and its effect on a state. */
export interface Case {
  promise: string;
  /** Applied twice: a state that was read with the change in it, and then gets the event, ends alike. */
  after: (state: AppState) => AppState;
  before?: AppState;
  part: (state: AppState) => unknown;
  expected: unknown;
}
