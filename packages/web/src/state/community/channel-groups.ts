import type { Channel } from "@parley/client";

/** The channels of one category; null for those without one, at the top of the list. */
export interface ChannelGroup {
  category: string | null;
  channels: readonly Channel[];
}

/** Channels by category, categories in the order of their first channel; those without one come first. */
export function groupChannels(channels: readonly Channel[]): ChannelGroup[] {
  const groups = new Map<string | null, Channel[]>();
  const top = channels.filter(({ category }) => category === null);
  if (top.length > 0) groups.set(null, top);
  for (const channel of channels) {
    if (channel.category === null) continue;
    const group = groups.get(channel.category);
    if (group === undefined) groups.set(channel.category, [channel]);
    else group.push(channel);
  }
  return [...groups].map(([category, members]) => ({ category, channels: members }));
}
