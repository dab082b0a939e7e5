import type { DetailedMessage, Message } from "@parley/client";
import type { AppState } from "./app-state.js";
import { filesFollow } from "./files-follow.js";

/** Query of lists of messages, which includes their details, so that a page of them takes one request. */
export const listedDetails = { include: "reactions,attachments" } as const;

/** The message alone. */
export function messageOf({ reactions: _reactions, attachments: _attachments, ...message }: DetailedMessage): Message {
  return message;
}

/** Stores the reactions and attachments that a list includes. For messages without them, they are read one by one. */
export function withListedDetails(state: AppState, page: readonly DetailedMessage[]): AppState {
  const reactions = { ...state.reactions };
  const attachments = { ...state.attachments };
  for (const { id, content, reactions: counts, attachments: files } of page) {
    if (counts !== undefined) reactions[id] = counts;
    // Files that may still be uploaded are read again later.
    if (files === undefined || (files.length === 0 && content.endsWith(filesFollow))) continue;
    const known = attachments[id];
    // Each list has newly signed addresses; a changed address would make the browser load the same picture again.
    const isSame = known?.length === files.length && known.every((file, index) => file.id === files[index]?.id);
    if (!isSame) attachments[id] = files;
  }
  return { ...state, reactions, attachments };
}
