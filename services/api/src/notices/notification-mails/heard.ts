import type { NotificationSettings } from "@parley/contracts";

const isMutedUntil = (until: string | null | undefined, now: Date): boolean =>
  until === "forever" || (until != null && Date.parse(until) > now.getTime());

/** Whether nothing of a channel is heard (docs/protocol/notifications.md#26.1): it or its server is muted, or the level there is `nothing`. */
export function isSilent(
  { servers, channels, default: standard }: NotificationSettings,
  { server_id, channel_id }: { server_id: string; channel_id: string },
  now: Date,
): boolean {
  const [server, channel] = [servers[server_id], channels[channel_id]];
  if (isMutedUntil(server?.muted_until, now) || isMutedUntil(channel?.muted_until, now)) return true;
  return (channel?.level ?? server?.level ?? standard.level) === "nothing";
}
