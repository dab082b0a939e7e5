import type { BlockUpdateEvent, FriendUpdateEvent, Message, ParleyClient, PublicProfile } from "@parley/client";
import { type AppState, type Friend, without } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";

/** The user's friends and blocks. */
export interface People {
  /** Reads the blocked users; after each READY, later there are events. */
  readBlocks(): Promise<void>;
  /** Reads friends and requests, once after each READY. */
  readFriends(): Promise<void>;
}

/** Makes {@link People}. */
export function createPeople(client: ParleyClient, store: AppStore): People {
  /** The last read of friends: after how many READYs it began. Several parts of the page ask for the same one. */
  let friends: { readyCount: number; done: Promise<void> } | null = null;
  const readFriends = () =>
    store.read(
      () => client.friends.list(),
      (state, lists, since) => {
        const all = (["friends", "incoming", "outgoing"] as const).flatMap((kind) =>
          lists[kind].map((user): Friend => ({ user, state: kind })),
        );
        const read = Object.fromEntries(all.map((friend) => [friend.user.id, friend]));
        return { friends: since({ ...state, friends: read }).friends };
      },
    );
  return {
    readBlocks: () =>
      store.read(
        () => client.blocks.list(),
        (state, { blocks }, since) => ({ blocks: since({ ...state, blocks: byId(blocks) }).blocks }),
      ),
    readFriends() {
      const { readyCount } = store.getState();
      if (friends?.readyCount === readyCount) return friends.done;
      const begun = { readyCount, done: readFriends() };
      friends = begun;
      begun.done.catch(() => {
        if (friends === begun) friends = null;
      });
      return begun.done;
    },
  };
}

/** BLOCK_UPDATE */
export function onBlock(state: AppState, { user, blocked }: BlockUpdateEvent): AppState {
  if (state.blocks === null) return state;
  return { ...state, blocks: blocked ? { ...state.blocks, [user.id]: user } : without(state.blocks, [user.id]) };
}

/** FRIEND_UPDATE */
export function onFriend(state: AppState, { user, state: now }: FriendUpdateEvent): AppState {
  if (state.friends === null) return state;
  const friends =
    now === "none" ? without(state.friends, [user.id]) : { ...state.friends, [user.id]: { user, state: now } };
  return { ...state, friends };
}

/** Whether the user has blocked somebody. */
export const isBlocked = ({ blocks }: AppState, userId: string | null): boolean =>
  userId !== null && blocks?.[userId] !== undefined;

/** Whether a message mentions the user; by somebody whom they have blocked it does not. */
export const isMention = (state: AppState, message: MentioningMessage & Pick<Message, "author_id">): boolean =>
  !isBlocked(state, message.author_id) && isNamedBy(state, message);

/** Whether a message names the user, alone, by a role or with others; its author does not matter. */
export const isNamedBy = (state: AppState, message: MentioningMessage): boolean =>
  state.me !== null &&
  (message.mention_everyone ||
    message.mention_here === true ||
    message.mention_user_ids.includes(state.me.id) ||
    namesRole(state, message));

type MentioningMessage = Pick<
  Message,
  "channel_id" | "mention_everyone" | "mention_here" | "mention_user_ids" | "mention_role_ids"
>;

function namesRole(state: AppState, { channel_id, mention_role_ids }: MentioningMessage): boolean {
  if (mention_role_ids === undefined) return false;
  const { me, members, channels } = state;
  const own = members[channels[channel_id]?.server_id ?? ""]?.[me?.id ?? ""];
  return own?.roles.some(({ id }) => mention_role_ids.includes(id)) === true;
}

/** How many ask the user for friendship. */
export const countRequests = ({ friends }: AppState): number =>
  Object.values(friends ?? {}).filter(({ state }) => state === "incoming").length;

const byId = (users: readonly PublicProfile[]): Record<string, PublicProfile> =>
  Object.fromEntries(users.map((user) => [user.id, user]));
