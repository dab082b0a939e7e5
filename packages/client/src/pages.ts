import type {
  AuditLogEntry,
  AuditLogListQuery,
  DetailedMessage,
  DmMessage,
  Member,
  MembersListQuery,
  MessagesListQuery,
  MessagesSearchQuery,
  ReactionsListUsersQuery,
  Reactor,
  Rest,
  SearchPage,
  ThreadsListQuery,
} from "./generated/index.js";
import type { RequestOptions, TransportRequest } from "./request.js";
import type { Page, Transport } from "./transport.js";

/** Long lists as async iterators, which request the next page when it is needed. */
export interface Pages {
  /**
   * A channel's history, newest first; with `after` or `since` the messages behind that message or instant, oldest
   * first.
   */
  messages(
    channelId: string,
    query?: Omit<MessagesListQuery, "limit">,
    options?: RequestOptions,
  ): AsyncGenerator<DetailedMessage, void>;
  /** The replies to a message, oldest first. */
  threads(
    channelId: string,
    messageId: string,
    query?: Omit<ThreadsListQuery, "before" | "limit">,
    options?: RequestOptions,
  ): AsyncGenerator<DetailedMessage, void>;
  /** The history of a direct-message channel, newest first. */
  directMessages(channelId: string, options?: RequestOptions): AsyncGenerator<DmMessage, void>;
  /** The users who reacted to a message with an emoji, in the order of reacting. */
  reactors(
    channelId: string,
    messageId: string,
    emoji: string,
    query?: Omit<ReactionsListUsersQuery, "limit" | "position">,
    options?: RequestOptions,
  ): AsyncGenerator<Reactor, void>;
  /** The members of a server in the order in which they joined. */
  members(
    serverId: string,
    query?: Omit<MembersListQuery, "position">,
    options?: RequestOptions,
  ): AsyncGenerator<Member, void>;
  /** The audit log of a server, newest first. */
  auditLog(
    serverId: string,
    query?: Omit<AuditLogListQuery, "limit">,
    options?: RequestOptions,
  ): AsyncGenerator<AuditLogEntry, void>;
  /** The results of a search, in the order of the query. */
  search(
    serverId: string,
    query: MessagesSearchQuery,
    options?: RequestOptions,
  ): AsyncGenerator<SearchPage["results"][number], void>;
}

const pageSize = 100;

/** Makes the iterators. */
export function createPages(rest: Rest, transport: Transport): Pages {
  /** The pages of a list whose answers name the next one, also when the last member of a page leaves meanwhile. */
  async function* linked<Item>(
    path: string,
    query: TransportRequest["query"],
    options: RequestOptions | undefined,
  ): AsyncGenerator<Item, void> {
    let page: Page<Item> = await transport.page({ method: "GET", path, query, options });
    for (;;) {
      yield* page.items;
      if (page.next === null) return;
      page = await transport.page({ method: "GET", path: page.next, options });
    }
  }

  return {
    async *messages(channelId, query = {}, options = {}) {
      const { after, before, since, ...details } = query;
      const list = (cursor: object) =>
        rest.messages.list(channelId, { limit: pageSize, ...details, ...cursor }, options);
      if (after === undefined && since === undefined) {
        yield* continued(list, "before", before);
        return;
      }
      // Each page is newest first; `since` says where the first one begins.
      const listAfter = async (cursor: { after?: string }) =>
        (await list(cursor.after === after ? { ...cursor, since } : cursor)).toReversed();
      yield* continued(listAfter, "after", after);
    },
    threads: (channelId, messageId, { after, ...query } = {}, options) =>
      continued(
        (cursor) => rest.threads.list(channelId, messageId, { limit: pageSize, ...query, ...cursor }, options),
        "after",
        after,
      ),
    directMessages: (channelId, options) =>
      continued((cursor) => rest.directMessages.list(channelId, { limit: pageSize, ...cursor }, options), "before"),
    reactors: (channelId, messageId, emoji, query = {}, options) => {
      const [channel, message, reaction] = [channelId, messageId, emoji].map(encodeURIComponent);
      const path = `/channels/${channel}/messages/${message}/reactions/${reaction}`;
      return linked(path, { limit: pageSize, ...query }, options);
    },
    auditLog: (serverId, { before, ...query } = {}, options) =>
      continued(
        (cursor) => rest.auditLog.list(serverId, { limit: pageSize, ...query, ...cursor }, options),
        "before",
        before,
      ),
    members: (serverId, query = {}, options = {}) =>
      linked(`/servers/${encodeURIComponent(serverId)}/members`, { limit: pageSize, ...query }, options),
    async *search(serverId, query, options) {
      let cursor: Pick<MessagesSearchQuery, "before"> = {};
      for (;;) {
        const page = await rest.messages.search(serverId, { ...query, ...cursor }, options);
        yield* page.results;
        if (page.next_cursor === null) return;
        cursor = { before: page.next_cursor };
      }
    },
  };
}

/** Pages until one is shorter; each continues at the last item of the one before. */
async function* continued<Item extends { id: string }>(
  list: (cursor: { before?: string; after?: string }) => Promise<Item[]>,
  direction: "before" | "after",
  start?: string,
): AsyncGenerator<Item, void> {
  let cursor = start;
  for (;;) {
    const page = await list(cursor === undefined ? {} : { [direction]: cursor });
    yield* page;
    cursor = page.at(-1)?.id;
    if (page.length < pageSize || cursor === undefined) return;
  }
}
