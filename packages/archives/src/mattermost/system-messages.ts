/** Types of posts that people did not write, without `system_`, and the kind that the report names. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["join_channel", "joined"],
  ["add_to_channel", "joined"],
  ["join_team", "joined"],
  ["add_to_team", "joined"],
  ["guest_join_channel", "joined"],
  ["add_guest_to_chan", "joined"],
  ["join_leave", "joined"],
  ["combined_user_activity", "joined"],
  ["leave_channel", "left"],
  ["remove_from_channel", "left"],
  ["leave_team", "left"],
  ["remove_from_team", "left"],
  ["header_change", "topic changed"],
  ["purpose_change", "purpose changed"],
  ["displayname_change", "renamed"],
  ["channel_deleted", "archived"],
  ["channel_restored", "archived"],
  ["convert_channel", "made private"],
]);

/** The kind of a system message; null for what people and integrations wrote. */
export function systemMessage(type: string | null | undefined): string | null {
  return type?.startsWith("system_") ? (kinds.get(type.slice("system_".length)) ?? "of another kind") : null;
}
