import type { AppState } from "../store/app-state.js";
import { withPeople } from "../store/group-people.js";
import { type History, windowOf } from "../store/history.js";

/** Newest messages that are kept of a channel. */
export const seenMessagesMax = 50;

const frameParts = [
  "me",
  "servers",
  "channels",
  "channelIds",
  "dmChannels",
  "roles",
  "everyone",
  "overrides",
  "blocks",
  "notifications",
  "rules",
] as const satisfies readonly (keyof AppState)[];

/** The state around the conversations: servers, channels, rights, and the user. */
export type Frame = Pick<AppState, (typeof frameParts)[number]> & Pick<AppState, "members" | "profiles">;

/** The newest messages of a channel, with their authors. */
export interface SeenChannel extends Pick<AppState, "profiles" | "authors" | "reactions" | "attachments" | "quoted"> {
  id: string;
  messages: History["messages"];
  hasOlder: boolean;
}

/**
 * The unread counts and the times of the user's last messages: they change with every message, and the frame seldom
 * does.
 */
export type Marks = Pick<AppState, "unread" | "mentions"> & Partial<Pick<AppState, "lastSent">>;

/** Whether a change concerns the frame. */
export const isFrameChanged = (state: AppState, before: AppState): boolean =>
  frameParts.some((part) => state[part] !== before[part]);

/** The frame, with the user alone of all members and people. */
export function frameOf(state: AppState): Frame | null {
  const { me, members, profiles } = state;
  if (me === null) return null;
  const own = Object.entries(members).flatMap(([serverId, list]) => {
    const member = list[me.id];
    return member === undefined ? [] : [[serverId, { [me.id]: member }] as const];
  });
  const parts = Object.fromEntries(frameParts.map((part) => [part, state[part]])) as Pick<
    AppState,
    (typeof frameParts)[number]
  >;
  return {
    ...parts,
    members: Object.fromEntries(own),
    profiles: some(profiles, [me.id]),
  };
}

/** The stored part of a channel; null for a window that does not reach to its newest messages. */
export function seenOf(state: AppState, id: string): SeenChannel | null {
  const history = state.histories[id];
  if (history === undefined || history.isStale || history.hasNewer) return null;
  const messages = history.messages.slice(-seenMessagesMax);
  const ids = messages.map((message) => message.id);
  const people = messages.flatMap(({ author_id }) => author_id ?? []);
  const serverId = state.channels[id]?.server_id;
  const members = serverId === undefined ? {} : some(state.members[serverId] ?? {}, people);
  const named = Object.entries(members).map(([userId, { nickname }]) => [userId, { nickname }] as const);
  return {
    id,
    messages,
    hasOlder: history.hasOlder || messages.length < history.messages.length,
    profiles: some(state.profiles, people),
    authors:
      serverId === undefined
        ? {}
        : { [serverId]: { ...some(state.authors[serverId] ?? {}, people), ...Object.fromEntries(named) } },
    reactions: some(state.reactions, ids),
    attachments: some(state.attachments, ids),
    quoted: some(
      state.quoted,
      messages.flatMap(({ reply_to }) => reply_to ?? []),
    ),
  };
}

/** The state before the first connection with the stored copy; unchanged once there was a connection. */
export function withSeen(
  state: AppState,
  frame: Frame,
  { unread, mentions, lastSent = {} }: Marks,
  channels: readonly SeenChannel[],
  connection: AppState["connection"],
): AppState {
  if (state.me !== null || state.readyCount > 0) return state;
  let next: AppState = withPeople(
    { ...withKeptSent(state, lastSent), ...frame, unread, mentions, connection },
    frame.dmChannels,
  );
  const authorsOf: Record<string, AppState["authors"][string]> = {};
  for (const { id, messages, hasOlder, authors, ...parts } of channels) {
    for (const [serverId, list] of Object.entries(authors)) authorsOf[serverId] = { ...authorsOf[serverId], ...list };
    const window = windowOf(messages.toReversed(), { hasOlder, hasNewer: false });
    next = {
      ...next,
      // Messages that were read meanwhile are newer.
      histories: { [id]: { ...window, isStale: true }, ...next.histories },
      profiles: { ...next.profiles, ...parts.profiles },
      reactions: { ...next.reactions, ...parts.reactions },
      attachments: { ...next.attachments, ...parts.attachments },
      quoted: { ...next.quoted, ...parts.quoted },
    };
  }
  return { ...next, authors: authorsOf };
}

/** The state with the stored times of the user's last messages, which READY does not have. */
export const withKeptSent = (state: AppState, kept: AppState["lastSent"] = {}): AppState =>
  Object.keys(kept).length === 0 ? state : { ...state, lastSent: { ...kept, ...state.lastSent } };

function some<Value>(record: Readonly<Record<string, Value>>, keys: readonly string[]): Record<string, Value> {
  const known: Record<string, Value> = {};
  for (const key of keys) {
    const value = record[key];
    if (value !== undefined) known[key] = value;
  }
  return known;
}
