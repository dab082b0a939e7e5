import type { Channel } from "@parley/client";
import { groupChannels } from "../../state/community/channel-groups.js";
import { newPositions } from "../../state/community/positions.js";

/** A row of the channels in the settings: the title of a category, or a channel, which is in the category above it. */
export type ChannelEntry =
  | { kind: "category"; id: string; name: string }
  | { kind: "channel"; id: string; name: string; channel: Channel };

/** The change of a channel by a move. */
export interface ChannelChange {
  id: string;
  position: number;
  category: string | null;
}

/** The rows of channels in their order. */
export const channelEntries = (channels: readonly Channel[]): ChannelEntry[] =>
  groupChannels(channels).flatMap(({ category, channels: members }) => [
    ...(category === null ? [] : [{ kind: "category" as const, id: `category ${category}`, name: category }]),
    ...members.map((channel) => ({ kind: "channel" as const, id: channel.id, name: channel.name, channel })),
  ]);

/**
 * Where a row comes to stand when it is dropped on another: behind it when it comes from above, else before it. A
 * category moves with its channels and stands behind those of the other.
 */
export function dropTarget(
  entries: readonly ChannelEntry[],
  id: string,
  overId: string,
): { id: string; side: "before" | "after" } {
  const from = entries.findIndex((entry) => entry.id === id);
  const over = entries.findIndex((entry) => entry.id === overId);
  if (from >= over) return { id: overId, side: "before" };
  const last = entries[from]?.kind === "category" ? endOf(entries, over) - 1 : over;
  return { id: entries[last]?.id ?? overId, side: "after" };
}

/** The rows after a drop. */
export function moveEntry(entries: readonly ChannelEntry[], id: string, overId: string): ChannelEntry[] {
  const from = entries.findIndex((entry) => entry.id === id);
  const to = entries[from]?.kind === "category" ? endOf(entries, from) : from + 1;
  const moved = entries.slice(from, to);
  const target = dropTarget(entries, id, overId);
  const rest = [...entries.slice(0, from), ...entries.slice(to)];
  const index = rest.findIndex((entry) => entry.id === target.id);
  return rest.toSpliced(target.side === "before" ? index : index + 1, 0, ...moved);
}

/** The changes that bring channels to the order and the categories of the rows. */
export function channelChanges(entries: readonly ChannelEntry[]): ChannelChange[] {
  let category: string | null = null;
  const wanted: { channel: Channel; category: string | null }[] = [];
  for (const entry of entries) {
    if (entry.kind === "category") category = entry.name;
    else wanted.push({ channel: entry.channel, category });
  }
  const positions = newPositions(wanted.map(({ channel }) => channel.position));
  return wanted.flatMap(({ channel, category: next }, index) => {
    const position = positions[index] ?? channel.position;
    const isSame = position === channel.position && next === channel.category;
    return isSame ? [] : [{ id: channel.id, position, category: next }];
  });
}

/** Channels after changes, in their new order. */
export function withChanges(channels: readonly Channel[], changes: readonly ChannelChange[]): Channel[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  return channels
    .map((channel) => ({ ...channel, ...byId.get(channel.id) }))
    .toSorted((a, b) => a.position - b.position);
}

/** Index after the last channel of the category at an index. */
function endOf(entries: readonly ChannelEntry[], index: number): number {
  const next = entries.findIndex(({ kind }, other) => other > index && kind === "category");
  return next === -1 ? entries.length : next;
}
