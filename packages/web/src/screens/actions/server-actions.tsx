import { CalendarDays, CheckCheck, Flag, LogOut, Plus, Settings, Shield, UserPlus } from "lucide-react";
import { useLocation } from "wouter";
import { holdsRight, mayInServer } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { hasUnread } from "../../state/notices/heard.js";
import { texts } from "../../texts/texts.js";
import type { MenuEntry } from "../../ui/overlays/menu.js";
import { useServerNotifications } from "./notification-items.js";
import { useOpenDialog } from "./open-dialog.js";
import { ReportsBadge, useOpenReports } from "./reports-badge.js";
import { useNicknameItem } from "./use-nickname-item.js";
import { useWelcomeItem } from "./use-welcome-item.js";

/** The user's actions on a server. */
export function useServerActions(serverId: string): MenuEntry[] {
  const labels = texts.shell;
  const { readState } = useApp();
  const isOwner = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.owner_id === state.me?.id);
  const mayInvite = useAppState((state) => mayInServer(state, serverId, "CREATE_INVITES"));
  const mayCreate = useAppState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const moderates = useAppState(
    (state) => holdsRight(state, serverId, "review_reports") || holdsRight(state, serverId, "manage_automod"),
  );
  const reports = useOpenReports(serverId);
  const isUnread = useAppState((state) => state.channelIds[serverId]?.some((id) => hasUnread(state, id)) === true);
  const open = useOpenDialog((dialogs) => dialogs.open);
  const [, navigate] = useLocation();
  const notifications = useServerNotifications(serverId);
  const nickname = useNicknameItem(
    useAppState(({ me }) => me?.id),
    serverId,
  );
  const welcome = useWelcomeItem(serverId);
  return [
    isUnread
      ? {
          label: labels.markRead,
          icon: <CheckCheck size={16} aria-hidden />,
          onSelect: () => readState.markServerRead(serverId),
        }
      : null,
    mayInvite
      ? {
          label: labels.invitePeople,
          icon: <UserPlus size={16} aria-hidden />,
          onSelect: () => open({ kind: "invite", serverId }),
        }
      : null,
    mayCreate
      ? {
          label: labels.createChannel,
          icon: <Plus size={16} aria-hidden />,
          onSelect: () => open({ kind: "create channel", serverId, category: null }),
        }
      : null,
    {
      label: texts.conversation.event.coming,
      icon: <CalendarDays size={16} aria-hidden />,
      onSelect: () => open({ kind: "coming events", serverId }),
    },
    notifications,
    nickname,
    welcome,
    {
      label: labels.settings,
      icon: <Settings size={16} aria-hidden />,
      onSelect: () => navigate(`/servers/${serverId}/settings`),
    },
    moderates
      ? {
          label: texts.moderation.title,
          icon: <Shield size={16} aria-hidden />,
          badge: <ReportsBadge count={reports} />,
          onSelect: () => navigate(`/servers/${serverId}/settings/moderation`),
        }
      : null,
    isOwner
      ? null
      : {
          label: texts.moderation.report.label,
          icon: <Flag size={16} aria-hidden />,
          onSelect: () => open({ kind: "report", of: "server", id: serverId, name: "" }),
        },
    isOwner
      ? null
      : {
          label: labels.leave,
          icon: <LogOut size={16} aria-hidden />,
          danger: true,
          onSelect: () => open({ kind: "leave", serverId }),
        },
  ];
}
