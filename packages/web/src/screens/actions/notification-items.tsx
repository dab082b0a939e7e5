import type { NotificationsUpdateBody } from "@parley/client";
import { Bell, BellOff } from "lucide-react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { isChannelMuted, isServerMuted, type Level } from "../../state/notices/heard.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { showDuration } from "../../ui/look/show.js";
import type { MenuItem, Submenu } from "../../ui/overlays/menu.js";
import { useNotice } from "../../ui/page/notice.js";

const levels = ["all", "mentions", "nothing"] as const;
const muteSeconds = [3_600, 8 * 3_600, 24 * 3_600];

/** The kinds of things with notification settings in their menu. */
type Part = "servers" | "channels" | "threads";

/** Sets the notifications of a server, a channel, a conversation or a thread; a notice shows a failure. */
function useSet(part: Part, id: string) {
  const { notifications } = useApp();
  const say = useNotice((notice) => notice.show);
  return (entry: { level?: Level | null; muted_until?: string | null; suppress_everyone?: boolean }) => {
    const changes: NotificationsUpdateBody = { [part]: { [id]: entry } };
    notifications.change(changes).catch((error: unknown) => say(errorText(error)));
  };
}

function useLevelItems(part: Part, id: string): MenuItem[] {
  const labels = texts.notifications;
  const set = useSet(part, id);
  const level = useAppState(({ notifications }) => notifications?.[part][id]?.level ?? null);
  const inherited = { servers: labels.asDefault, channels: labels.asServer, threads: labels.asChannel }[part];
  return [
    { label: inherited, isOn: level === null, onSelect: () => set({ level: null }) },
    ...levels.map((each) => ({
      label: labels.levels[each],
      isOn: level === each,
      onSelect: () => set({ level: each }),
    })),
  ];
}

function useMuteItems(part: "servers" | "channels", id: string, isMuted: boolean): MenuItem[] {
  const labels = texts.notifications;
  const set = useSet(part, id);
  if (isMuted) return [{ label: labels.unmute, beginsGroup: true, onSelect: () => set({ muted_until: null }) }];
  return [
    ...muteSeconds.map((seconds, index) => ({
      label: labels.muteFor(showDuration(seconds)),
      beginsGroup: index === 0,
      onSelect: () => set({ muted_until: new Date(Date.now() + seconds * 1_000).toISOString() }),
    })),
    { label: labels.muteForever, onSelect: () => set({ muted_until: "forever" }) },
  ];
}

const submenu = (isMuted: boolean, items: readonly MenuItem[]): Submenu => ({
  label: texts.notifications.title,
  icon: isMuted ? <BellOff size={16} aria-hidden /> : <Bell size={16} aria-hidden />,
  items,
});

/** The notifications of a server. */
export function useServerNotifications(id: string): Submenu {
  const isMuted = useAppState((state) => isServerMuted(state, id));
  const suppresses = useAppState(({ notifications }) => notifications?.servers[id]?.suppress_everyone === true);
  const set = useSet("servers", id);
  const everyone = {
    label: texts.notifications.suppressEveryone,
    beginsGroup: true,
    isOn: suppresses,
    onSelect: () => set({ suppress_everyone: !suppresses }),
  };
  return submenu(isMuted, [...useLevelItems("servers", id), everyone, ...useMuteItems("servers", id, isMuted)]);
}

/** The notifications of a channel of a server. */
export function useChannelNotifications(id: string): Submenu {
  const isMuted = useAppState((state) => isChannelMuted(state, id));
  const isOwn = useAppState(({ notifications }) => notifications?.channels[id]?.muted_until != null);
  return submenu(isMuted, [...useLevelItems("channels", id), ...useMuteItems("channels", id, isMuted && isOwn)]);
}

/** The notifications of a conversation: all of its messages, unless it is muted. */
export function useDirectNotifications(id: string): MenuItem[] {
  return useMuteItems(
    "channels",
    id,
    useAppState((state) => isChannelMuted(state, id)),
  );
}

/** The notifications of a thread. */
export function useThreadNotifications(rootId: string): MenuItem[] {
  return useLevelItems("threads", rootId);
}
