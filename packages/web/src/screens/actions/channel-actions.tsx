import type { Channel } from "@parley/client";
import { CheckCheck, ChevronDown, ChevronRight, Link2, Lock, Pencil, Plus, Trash2 } from "lucide-react";
import { mayInChannel, mayInServer } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { hasUnread } from "../../state/notices/heard.js";
import { texts } from "../../texts/texts.js";
import type { MenuEntry } from "../../ui/overlays/menu.js";
import { useChannelNotifications } from "./notification-items.js";
import { useOpenDialog } from "./open-dialog.js";

/** The user's actions on a channel. */
export function useChannelActions({ id, server_id }: Channel): MenuEntry[] {
  const labels = texts.shell;
  const { readState } = useApp();
  const isUnread = useAppState((state) => hasUnread(state, id));
  const mayManage = useAppState((state) => mayInChannel(state, id, "MANAGE_CHANNELS"));
  const open = useOpenDialog((dialogs) => dialogs.open);
  const notifications = useChannelNotifications(id);
  const link = `${location.origin}/app/servers/${server_id}/channels/${id}`;
  return [
    isUnread
      ? {
          label: labels.markRead,
          icon: <CheckCheck size={16} aria-hidden />,
          onSelect: () => readState.markAllRead({ kind: "channel", id }),
        }
      : null,
    notifications,
    {
      label: labels.copyLink,
      icon: <Link2 size={16} aria-hidden />,
      onSelect: () => void navigator.clipboard.writeText(link),
    },
    ...(mayManage
      ? [
          {
            label: labels.editChannel,
            icon: <Pencil size={16} aria-hidden />,
            onSelect: () => open({ kind: "edit channel", channelId: id }),
          },
          {
            label: texts.serverSettings.channels.permissions,
            icon: <Lock size={16} aria-hidden />,
            onSelect: () => open({ kind: "channel permissions", channelId: id }),
          },
          {
            label: labels.deleteChannel,
            icon: <Trash2 size={16} aria-hidden />,
            danger: true,
            onSelect: () => open({ kind: "delete channel", channelId: id }),
          },
        ]
      : []),
  ];
}

/** The user's actions on a category, which is a label that channels have in common. */
export function useCategoryActions({
  serverId,
  category,
  channels,
  isOpen,
  onToggle,
}: {
  serverId: string;
  category: string;
  channels: readonly Channel[];
  isOpen: boolean;
  onToggle: () => void;
}): MenuEntry[] {
  const labels = texts.shell;
  const { readState } = useApp();
  const isUnread = useAppState((state) => channels.some(({ id }) => hasUnread(state, id)));
  const mayCreate = useAppState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const open = useOpenDialog((dialogs) => dialogs.open);
  return [
    isUnread
      ? {
          label: labels.markRead,
          icon: <CheckCheck size={16} aria-hidden />,
          onSelect: () => {
            for (const { id } of channels) readState.markAllRead({ kind: "channel", id });
          },
        }
      : null,
    {
      label: isOpen ? labels.collapse : labels.expand,
      icon: isOpen ? <ChevronRight size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />,
      onSelect: onToggle,
    },
    mayCreate
      ? {
          label: labels.createChannel,
          icon: <Plus size={16} aria-hidden />,
          onSelect: () => open({ kind: "create channel", serverId, category }),
        }
      : null,
  ];
}
