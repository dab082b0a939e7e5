import type { NotificationSettings } from "@parley/contracts";

/** Where a message of a server is. */
export interface Place {
  server_id: string;
  channel_id: string;
  thread_id: string | null;
}

const isMutedUntil = (until: string | null | undefined, now: Date): boolean =>
  until === "forever" || (until != null && Date.parse(until) > now.getTime());

/** Whether nothing of a channel of direct messages is heard. */
export const isConversationMuted = ({ channels }: NotificationSettings, id: string, now: Date): boolean =>
  isMutedUntil(channels[id]?.muted_until, now);

/** Whether nothing of a place in a server is heard: it or what it is in is muted, or the level that holds there is `nothing`. */
export function isSilent(
  settings: NotificationSettings,
  { server_id, channel_id, thread_id }: Place,
  now: Date,
): boolean {
  const { servers, channels, threads } = settings;
  const [server, channel] = [servers[server_id], channels[channel_id]];
  if (isMutedUntil(server?.muted_until, now) || isMutedUntil(channel?.muted_until, now)) return true;
  const level =
    (thread_id === null ? undefined : threads[thread_id]?.level) ??
    channel?.level ??
    server?.level ??
    settings.default.level;
  return level === "nothing";
}

/**
 * Whether a mention is heard (docs/interface.md#26.1).
 *
 * @param mention.by_name whether it names the account or answers a message of it; otherwise it is `@everyone`
 */
export const isMentionHeard = (
  settings: NotificationSettings,
  mention: Place & { by_name: boolean },
  now: Date,
): boolean =>
  !isSilent(settings, mention, now) &&
  (mention.by_name || settings.servers[mention.server_id]?.suppress_everyone !== true);
