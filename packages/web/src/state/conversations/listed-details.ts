import type { DetailedMessage, Message } from "@parley/client";
import type { AppState } from "../store/app-state.js";
import { withAuthors } from "./authors.js";
import { withFiles } from "./message-events.js";

/** Query of lists of messages, which includes their details, so that a page of them takes one request. */
export const listedDetails = { include: "reactions,attachments,previews,author" } as const;

/** The message alone, with its link cards. */
export function messageOf(listed: DetailedMessage): Message {
  const { reactions: _reactions, attachments: _attachments, server_id: _server, author: _author, ...message } = listed;
  return message;
}

/** Stores the reactions, attachments and authors that a list includes. Reactions that it leaves out are read one by one. */
export function withListedDetails(state: AppState, page: readonly DetailedMessage[]): AppState {
  const reactions = { ...state.reactions };
  for (const { id, reactions: counts } of page) if (counts !== undefined) reactions[id] = counts;
  const authored = withAuthors({ ...state, reactions }, page);
  return page.reduce((next, { id, attachments }) => withFiles(next, id, attachments), authored);
}
