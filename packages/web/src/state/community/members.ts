import type { Member, MembersListQuery, ParleyClient } from "@parley/client";
import { createTurns } from "../platform/turns.js";
import type { AppStore } from "../store/app-store.js";
import { onMemberRoleAdd, onMemberRoleRemove } from "./server-events.js";
import { membersSince } from "./user-events.js";

/** Reads the members of a server as far as their list is scrolled. */
export interface Members {
  /** Reads the number of members and the first page of online members, once after each READY. */
  open(serverId: string): Promise<void>;
  /**
   * Reads the next page: online members first, then the others. A call while a page is read waits for that page.
   *
   * @returns false when there are no more
   */
  more(serverId: string): Promise<boolean>;
  /** Gives a role to a member or takes it; it is shown at once, and undone when the server refuses. */
  setRole(serverId: string, userId: string, roleId: string, isHeld: boolean): Promise<void>;
  /** Lists members, such as those whose names begin with `q`. */
  list(serverId: string, query: MembersListQuery, options?: { signal: AbortSignal }): Promise<Member[]>;
}

const pageSize = 200;

/** The list of a server as far as it was read. */
interface List {
  /** The members that were not read yet, page by page. */
  rest: AsyncGenerator<Member, void>;
  /** The page that is being read. */
  page: Promise<void> | undefined;
  isComplete: boolean;
  /** How many READYs there were when it was opened; -1 when it could not be read. */
  readyCount: number;
  /** Its beginning, which is being read; null once it is there. */
  opening: Promise<unknown> | null;
}

/** Makes {@link Members}. */
export function createMembers(client: ParleyClient, store: AppStore): Members {
  const lists = new Map<string, List>();
  const inTurn = createTurns();

  async function* inOrder(serverId: string): AsyncGenerator<Member, void> {
    const seen = new Set<string>();
    async function* listed(status: "online" | "offline") {
      for await (const member of client.pages.members(serverId, { status, limit: pageSize })) {
        seen.add(member.user_id);
        yield member;
      }
    }
    yield* listed("online");
    yield* listed("offline");
    // Members who came online between the two requests are in neither answer.
    if (seen.size !== store.getState().memberCounts[serverId]?.total) yield* listed("online");
  }
  const nextPage = async (list: List): Promise<Member[]> => {
    const page: Member[] = [];
    while (page.length < pageSize && !list.isComplete) {
      const { value, done } = await list.rest.next();
      if (done === true) list.isComplete = true;
      else page.push(value);
    }
    return page;
  };
  const readPage = async (serverId: string, list: List): Promise<void> => {
    const begin = () => Object.assign(list, { rest: inOrder(serverId), isComplete: false });
    let isRepeated = false;
    try {
      await store.read(
        () => {
          // A connection has begun: the members may have changed since, so the list is read from its beginning.
          if (isRepeated) begin();
          isRepeated = true;
          return nextPage(list);
        },
        (state, page, since) => membersSince(state, serverId, page, since),
      );
    } catch (error) {
      begin();
      throw error;
    } finally {
      list.page = undefined;
    }
  };
  const more = async (serverId: string): Promise<boolean> => {
    const list = lists.get(serverId);
    if (list === undefined || list.isComplete) return false;
    list.page ??= readPage(serverId, list);
    await list.page;
    return !list.isComplete;
  };

  const setRole: Members["setRole"] = async (serverId, userId, roleId, isHeld) => {
    const role = store.getState().roles[serverId]?.find(({ id }) => id === roleId);
    if (role === undefined) return;
    const event = {
      server_id: serverId,
      user_id: userId,
      role_id: roleId,
      role_name: role.name,
      role_color: role.color,
    };
    const show = (isOn: boolean) =>
      store.apply((state) => (isOn ? onMemberRoleAdd(state, event) : onMemberRoleRemove(state, event)));
    show(isHeld);
    try {
      await inTurn(`${userId} ${roleId}`, () =>
        isHeld ? client.roles.assign(serverId, userId, roleId) : client.roles.unassign(serverId, userId, roleId),
      );
    } catch (error) {
      show(!isHeld);
      throw error;
    }
  };

  return {
    more,
    setRole,
    async open(serverId) {
      const { readyCount, memberCounts } = store.getState();
      const known = lists.get(serverId);
      if (known?.readyCount === readyCount) {
        // The count is gone when the user has left and joined again.
        if (known.opening !== null || memberCounts[serverId] !== undefined) return void (await known.opening);
      }
      const list: List = { rest: inOrder(serverId), page: undefined, isComplete: false, readyCount, opening: null };
      lists.set(serverId, list);
      const counting = store.read(
        () => client.members.count(serverId),
        // A list that was opened later has its own count, which is newer.
        ({ memberCounts }, counts) =>
          lists.get(serverId) === list ? { memberCounts: { ...memberCounts, [serverId]: counts } } : {},
      );
      list.opening = Promise.all([counting, more(serverId)]);
      try {
        await list.opening;
      } catch (error) {
        list.readyCount = -1;
        throw error;
      } finally {
        list.opening = null;
      }
    },
    async list(serverId, query, options) {
      let found: Member[] = [];
      await store.read(
        () => client.members.list(serverId, query, options),
        (state, list, since) => {
          found = list;
          return membersSince(state, serverId, list, since);
        },
      );
      return found;
    },
  };
}
