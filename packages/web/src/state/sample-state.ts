import type { Channel, Member, Message, Ready, User } from "@parley/client";
import { type AppState, emptyState } from "./app-state.js";
import { onReady } from "./ready.js";

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
