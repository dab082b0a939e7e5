import type { FileUrls } from "@parley/auth";
import type { DmChannel, DmMessage, GroupChannel } from "@parley/contracts";
import { z } from "zod";
import { type OthersAccountRow, toOtherUser } from "../../people/users/resource.js";
import { forwardedColumn, forwardedKeyOf, forwardedRow } from "../core/forwarded-repository.js";

/** A channel without its participants. */
export const dmChannelRow = z.object({
  id: z.string(),
  created_at: z.date(),
  last_message_at: z.date().nullable(),
});
export type DmChannelRow = z.infer<typeof dmChannelRow>;

/** Columns of a direct message `m` as every statement selects them. */
export const dmMessageColumns = `m.id, m.channel_id, m.author_id, m.content, m.reply_to, m.edited_at, m.created_at,
  ${forwardedColumn("dm_")}`;

/** Row shape of {@link dmMessageColumns}. */
export const dmMessageRow = z.object({
  id: z.string(),
  channel_id: z.string(),
  author_id: z.string().nullable(),
  content: z.string(),
  reply_to: z.string().nullable(),
  edited_at: z.date().nullable(),
  created_at: z.date(),
  forwarded: forwardedRow.nullable(),
});
export type DmMessageRow = z.infer<typeof dmMessageRow>;

/** A channel from the view of one participant (docs/protocol/objects.md#4.17). */
export function toDmChannel(row: DmChannelRow, recipient: OthersAccountRow): DmChannel {
  return {
    id: row.id,
    recipient: toOtherUser(recipient),
    created_at: row.created_at.toISOString(),
    last_message_at: row.last_message_at?.toISOString() ?? null,
  };
}

/** A direct message as it goes over the wire (docs/protocol/objects.md#4.17). */
export function toDmMessage(row: DmMessageRow, urls: FileUrls): DmMessage {
  return {
    id: row.id,
    channel_id: row.channel_id,
    author_id: row.author_id,
    content: row.content,
    ...replyField(row.reply_to),
    edited_at: row.edited_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...forwardedKeyOf(row.forwarded, urls),
  };
}

/** Only replies have the key, so that other messages stay the same for older clients. */
export const replyField = (replyTo: string | null | undefined) => (replyTo ? { reply_to: replyTo } : {});

/** A group with the ids of those in it, in the order in which they came. */
export const groupRow = dmChannelRow.extend({
  name: z.string().nullable(),
  icon_url: z.string().nullable(),
  members: z.array(z.string()),
});
export type GroupRow = z.infer<typeof groupRow>;

/** The member who joined the group first. */
export const ownerOf = ({ members }: GroupRow): string | null => members[0] ?? null;

/**
 * A group from the view of one of those in it (docs/protocol/conversations.md#28.2).
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
