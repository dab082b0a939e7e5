import type {
  DmMessage,
  Member,
  MembersListQuery,
  Message,
  MessagesSearchQuery,
  Rest,
  SearchPage,
} from "./generated/index.js";
import type { RequestOptions } from "./request.js";
import type { Page, Transport } from "./transport.js";

/** Long lists as async iterators, which ask for the next page when it is needed. */
export interface Pages {
  /** A channel's history, newest first. */
  messages(channelId: string, options?: RequestOptions): AsyncGenerator<Message, void>;
  /** The history of a direct-message channel, newest first. */
  directMessages(channelId: string, options?: RequestOptions): AsyncGenerator<DmMessage, void>;
  /** The members of a server in the order in which they joined. */
  members(
    serverId: string,
    query?: Omit<MembersListQuery, "position">,
    options?: RequestOptions,
  ): AsyncGenerator<Member, void>;
  /** What a search finds, in the order that the query asks for. */
  search(
    serverId: string,
    query: MessagesSearchQuery,
    options?: RequestOptions,
  ): AsyncGenerator<SearchPage["results"][number], void>;
}

const pageSize = 100;

/** Makes the iterators. */
export function createPages(rest: Rest, transport: Transport): Pages {
  return {
    messages: (channelId, options) =>
      history((before) => rest.messages.list(channelId, { limit: pageSize, ...before }, options)),
    directMessages: (channelId, options) =>
      history((before) => rest.directMessages.list(channelId, { limit: pageSize, ...before }, options)),
    async *members(serverId, query = {}, options = {}) {
      const path = `/servers/${encodeURIComponent(serverId)}/members`;
      let page: Page<Member> = await transport.page({
        method: "GET",
        path,
        query: { limit: pageSize, ...query },
        options,
      });
      for (;;) {
        yield* page.items;
        if (page.next === null) return;
        page = await transport.page({ method: "GET", path: page.next, options });
      }
    },
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

async function* history<Item extends { id: string }>(
  list: (before: { before?: string }) => Promise<Item[]>,
): AsyncGenerator<Item, void> {
  let before: { before?: string } = {};
  for (;;) {
    const page = await list(before);
    yield* page;
    const last = page.at(-1);
    if (page.length < pageSize || last === undefined) return;
    before = { before: last.id };
  }
}
