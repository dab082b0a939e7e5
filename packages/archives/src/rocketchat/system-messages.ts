/** Types of messages that people did not write, and the kind that the report names. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["uj", "joined"],
  ["au", "joined"],
  ["ut", "joined"],
  ["ujt", "joined"],
  ["added-user-to-team", "joined"],
  ["ul", "left"],
  ["ru", "left"],
  ["ult", "left"],
  ["removed-user-from-team", "left"],
  ["r", "renamed"],
  ["room_changed_topic", "topic changed"],
  ["room_changed_description", "topic changed"],
  ["room_changed_announcement", "topic changed"],
  ["subscription-role-added", "role"],
  ["subscription-role-removed", "role"],
  ["videoconf", "call"],
  ["jitsi_call_started", "call"],
  ["message_pinned", "pinned"],
  ["message_pinned_e2e", "pinned"],
  ["discussion-created", "discussion made"],
  ["room-archived", "archived"],
  ["room-unarchived", "archived"],
]);

/** The kind of a system message. */
export const systemMessage = (type: string): string => kinds.get(type) ?? "of another kind";
