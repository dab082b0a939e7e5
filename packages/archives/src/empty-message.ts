import type { MessageRecord } from "./form.js";

/** A message of no author without any part, which a reader fills. Times are milliseconds since 1970. */
export function emptyMessage(place: Pick<MessageRecord, "id" | "channel" | "at" | "version">): MessageRecord {
  return {
    kind: "message",
    ...place,
    author: null,
    text: [],
    editedAt: null,
    replyTo: null,
    thread: null,
    reactions: [],
    pinned: null,
    embeds: [],
    poll: null,
    event: null,
    files: [],
  };
}
