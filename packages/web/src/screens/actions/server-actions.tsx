import { CheckCheck, LogOut, Plus, Settings, UserPlus } from "lucide-react";
import { useLocation } from "wouter";
import { mayInServer } from "../../state/permissions.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import type { MenuEntry } from "../../ui/menu.js";
import { useOpenDialog } from "./open-dialog.js";

/** What the user may do with a server. */
export function useServerActions(serverId: string): MenuEntry[] {
  const names = texts.shell;
  const { readState } = usePage();
  const isOwner = usePageState((state) => state.servers.find(({ id }) => id === serverId)?.owner_id === state.me?.id);
  const mayInvite = usePageState((state) => mayInServer(state, serverId, "CREATE_INVITES"));
  const mayCreate = usePageState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const isUnread = usePageState(
    (state) => state.channelIds[serverId]?.some((id) => (state.unread[id] ?? 0) > 0) === true,
  );
  const open = useOpenDialog((dialogs) => dialogs.open);
  const [, navigate] = useLocation();
  return [
    isUnread
      ? {
          label: names.markRead,
          icon: <CheckCheck size={16} aria-hidden />,
          onSelect: () => readState.markServerRead(serverId),
        }
      : null,
    mayInvite
      ? {
          label: names.invitePeople,
          icon: <UserPlus size={16} aria-hidden />,
          onSelect: () => open({ kind: "invite", serverId }),
        }
      : null,
    mayCreate
      ? {
          label: names.createChannel,
          icon: <Plus size={16} aria-hidden />,
          onSelect: () => open({ kind: "create channel", serverId, category: null }),
        }
      : null,
    {
      label: names.settings,
      icon: <Settings size={16} aria-hidden />,
      onSelect: () => navigate(`/servers/${serverId}/settings`),
    },
    isOwner
      ? null
      : {
          label: names.leave,
          icon: <LogOut size={16} aria-hidden />,
          danger: true,
          onSelect: () => open({ kind: "leave", serverId }),
        },
  ];
}
