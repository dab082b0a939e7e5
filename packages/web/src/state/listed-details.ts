import type { DetailedMessage, Message } from "@parley/client";
import { filesFollow } from "./files-follow.js";
import type { PageState } from "./page-state.js";

/** What lists of messages are asked to carry, so that a page of them costs one request. */
export const listedDetails = { include: "reactions,attachments" } as const;

/** The message alone. */
export function messageOf({ reactions: _reactions, attachments: _attachments, ...message }: DetailedMessage): Message {
  return message;
}

/** Reactions and attachments as a list carries them; of messages that lack them they are read one by one. */
export function withListedDetails(state: PageState, page: readonly DetailedMessage[]): PageState {
  const reactions = { ...state.reactions };
  const attachments = { ...state.attachments };
  for (const { id, content, reactions: counts, attachments: files } of page) {
    if (counts !== undefined) reactions[id] = counts;
    // Files that may still be on their way are looked for.
    if (files === undefined || (files.length === 0 && content.endsWith(filesFollow))) continue;
    const known = attachments[id];
    // Each list signs addresses anew, and another address would load the same picture again.
    const isSame = known?.length === files.length && known.every((file, place) => file.id === files[place]?.id);
    if (!isSame) attachments[id] = files;
  }
  return { ...state, reactions, attachments };
}
