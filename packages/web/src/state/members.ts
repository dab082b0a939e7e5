import type { Member, ParleyClient } from "@parley/client";
import type { PageStore } from "./page-store.js";
import { membersSince } from "./user-events.js";

/** Reads the members of a server as far as their list is scrolled. */
export interface Members {
  /** Reads the number of members and the first page of online members, also if the list was open before. */
  open(serverId: string): Promise<void>;
  /** Reads the next page: online members first, then the others. @returns false when there are no more */
  more(serverId: string): Promise<boolean>;
  /** Reads as many members as one request returns, for lists that have only the ids of users. */
  readMany(serverId: string): Promise<void>;
  /** Finds members whose names begin with `prefix`, for completion. */
  find(serverId: string, prefix: string): Promise<readonly Member[]>;
}

const pageSize = 200;
/** The most members of one request (docs/interface.md#20.3). */
const manyMax = 1_000;

/** Makes {@link Members}. */
export function createMembers(client: ParleyClient, store: PageStore): Members {
  const readers = new Map<string, AsyncGenerator<Member, void>>();

  async function* inOrder(serverId: string): AsyncGenerator<Member, void> {
    yield* client.pages.members(serverId, { status: "online", limit: pageSize });
    yield* client.pages.members(serverId, { status: "offline", limit: pageSize });
  }
  const nextPage = async (serverId: string, reader: AsyncGenerator<Member, void>): Promise<Member[]> => {
    const page: Member[] = [];
    while (page.length < pageSize) {
      const { value, done } = await reader.next();
      if (done === true) {
        if (readers.get(serverId) === reader) readers.delete(serverId);
        break;
      }
      if (value !== undefined) page.push(value);
    }
    return page;
  };
  const startReader = (serverId: string) => {
    const reader = inOrder(serverId);
    readers.set(serverId, reader);
    return reader;
  };
  const more = async (serverId: string): Promise<boolean> => {
    let reader = readers.get(serverId);
    if (reader === undefined) return false;
    await store.read(
      () => {
        // A reader returns each page once, so reading the list again needs another reader.
        const page = nextPage(serverId, reader ?? startReader(serverId));
        reader = undefined;
        return page;
      },
      (state, list, since) => membersSince(state, serverId, list, since),
    );
    return readers.has(serverId);
  };

  return {
    more,
    async open(serverId) {
      startReader(serverId);
      const [counts] = await Promise.all([client.members.count(serverId), more(serverId)]);
      store.setState((state) => ({ memberCounts: { ...state.memberCounts, [serverId]: counts } }));
    },
    async readMany(serverId) {
      await store.read(
        () => client.members.list(serverId, { limit: manyMax }),
        (state, list, since) => membersSince(state, serverId, list, since),
      );
    },
    async find(serverId, prefix) {
      let found: readonly Member[] = [];
      await store.read(
        () => client.members.list(serverId, { limit: 10, ...(prefix === "" ? {} : { q: prefix }) }),
        (state, list, since) => {
          found = list;
          return membersSince(state, serverId, list, since);
        },
      );
      return found;
    },
  };
}
