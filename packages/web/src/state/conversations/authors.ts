import type { MessageAuthor } from "@parley/client";
import { withName } from "../community/member-events.js";
import type { AppState } from "../store/app-state.js";

/** The fields that lists and events have beside a message of a server (docs/protocol/events.md#23.4). */
export interface Authored {
  server_id?: string;
  author?: MessageAuthor | null;
}

/** Stores who wrote messages, so that they need not be read to be named. */
export function withAuthors(state: AppState, messages: readonly Authored[]): AppState {
  let next = state;
  for (const { server_id, author } of messages) {
    if (server_id === undefined || author === undefined || author === null) continue;
    const known = next.authors[server_id]?.[author.id];
    next = withName(next, author);
    if (known?.nickname === author.nickname) continue;
    const ofServer = { ...next.authors[server_id], [author.id]: { nickname: author.nickname } };
    next = { ...next, authors: { ...next.authors, [server_id]: ofServer } };
  }
  return next;
}
