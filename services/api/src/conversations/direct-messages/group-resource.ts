import type { GroupChannel } from "@parley/contracts";
import { z } from "zod";
import { type OthersAccountRow, toOtherUser } from "../../people/users/resource.js";
import { dmChannelRow } from "./resource.js";

/** A group with the ids of those in it, in the order in which they came. */
export const groupRow = dmChannelRow.extend({
  name: z.string().nullable(),
  icon_url: z.string().nullable(),
  members: z.array(z.string()),
});
export type GroupRow = z.infer<typeof groupRow>;

/** The first one: whoever has been in the group for longest. */
export const ownerOf = ({ members }: GroupRow): string | null => members[0] ?? null;

/**
 * A group from the view of one of those in it (docs/interface.md#28.2).
 *
 * @param accounts of all in it, in any order
 * @returns null when the viewer is not among them
 */
export function toGroupChannel(
  group: GroupRow,
  accounts: readonly OthersAccountRow[],
  viewerId: string,
): GroupChannel | null {
  const people = group.members.flatMap((id) => accounts.find((account) => account.id === id) ?? []).map(toOtherUser);
  const viewer = people.find(({ id }) => id === viewerId);
  const [owner] = people;
  if (viewer === undefined || owner === undefined) return null;
  const recipients = people.filter(({ id }) => id !== viewerId);
  return {
    id: group.id,
    type: "group",
    recipient: recipients[0] ?? viewer,
    recipients,
    name: group.name,
    owner_id: owner.id,
    icon_url: group.icon_url,
    created_at: group.created_at.toISOString(),
    last_message_at: group.last_message_at?.toISOString() ?? null,
  };
}
