import { AtSign, Ban, CircleUser, Clock, Copy, Flag, History, IdCard, MessageCircle, Tags, UserX } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useLocation, useRoute } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { changeableRoles, mayModerate } from "../../state/access/moderation.js";
import { mayReadHistory } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { timeoutSince } from "../../state/community/server-events.js";
import { dmChannelSince } from "../../state/community/user-events.js";
import { shownName } from "../../state/people/bot-name.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { useCloseDrawer } from "../../ui/overlays/close-drawer.js";
import type { MenuEntry, MenuItem } from "../../ui/overlays/menu.js";
import { useNotice } from "../../ui/page/notice.js";
import { useAppEntry } from "../apps/use-app-entry.js";
import { useCommands } from "../apps/use-commands.js";
import { RelationIcon } from "../relations/relation-icon.js";
import { useRelation } from "../relations/use-relation.js";
import { insertIntoComposer } from "./composer-element.js";
import { useOpenDialog } from "./open-dialog.js";
import { useNicknameItem } from "./use-nickname-item.js";
import { useVoiceActions } from "./voice-actions.js";

/** The user's actions on another one, in a server or, with null, elsewhere. */
export function useMemberActions(userId: string, serverId: string | null): MenuEntry[] {
  const labels = texts.shell.memberActions;
  const name = useAppState(
    (state) =>
      state.profiles[userId]?.username ?? (serverId === null ? undefined : state.members[serverId]?.[userId]?.username),
  );
  const isMe = useAppState((state) => state.me?.id === userId);
  const maySeeHistory = useAppState((state) => serverId !== null && mayReadHistory(state, serverId, userId));
  const open = useOpenDialog((dialogs) => dialogs.open);
  const message = useOpenDirectMessage(userId);
  const relation = useRelation(userId, shownName(name ?? ""));
  const closeDrawer = useCloseDrawer();
  const roles = useRoleItems(userId, serverId);
  const moderation = useModeration(userId, name, serverId);
  const voice = useVoiceActions(userId, serverId);
  const apps = useMemberApps(userId, serverId);
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  return [
    {
      label: labels.profile,
      icon: <CircleUser size={16} aria-hidden />,
      onSelect: () => open({ kind: "profile", userId, serverId }),
    },
    isMe ? null : { label: labels.message, icon: <MessageCircle size={16} aria-hidden />, onSelect: message },
    serverId === null || name === undefined
      ? null
      : {
          label: labels.mention,
          icon: <AtSign size={16} aria-hidden />,
          onSelect: () => {
            closeDrawer();
            // After the menu has returned the focus.
            setTimeout(() => insertIntoComposer(`@${name} `));
          },
        },
    roles.length === 0 ? null : { label: labels.roles, icon: <Tags size={16} aria-hidden />, items: roles },
    name === undefined
      ? null
      : { label: labels.copyName, icon: <Copy size={16} aria-hidden />, onSelect: () => copy(name) },
    ...(name === undefined ? [] : relation).map(({ kind, label, danger, run }) => ({
      label,
      icon: <RelationIcon kind={kind} />,
      danger,
      onSelect: run,
    })),
    { label: labels.copyId, icon: <IdCard size={16} aria-hidden />, onSelect: () => copy(userId) },
    isMe || name === undefined
      ? null
      : {
          label: texts.moderation.report.label,
          icon: <Flag size={16} aria-hidden />,
          onSelect: () => open({ kind: "report", of: "user", id: userId, name }),
        },
    serverId === null || name === undefined || !maySeeHistory
      ? null
      : {
          label: texts.moderation.history,
          icon: <History size={16} aria-hidden />,
          onSelect: () => open({ kind: "history", serverId, userId, username: name }),
        },
    ...voice,
    ...moderation,
    apps,
  ];
}

/** The commands for a member of the bots in the open channel; read when the menu is opened. */
function useMemberApps(userId: string, serverId: string | null) {
  const [isInChannel, params] = useRoute("/servers/:serverId/channels/:channelId/*?");
  const channelId = isInChannel && params.serverId === serverId ? params.channelId : null;
  useCommands(channelId);
  return useAppEntry("user", userId, channelId);
}

/** Returns a function that opens the direct messages with somebody. */
export function useOpenDirectMessage(userId: string): () => void {
  const { client, store } = useApp();
  const [, navigate] = useLocation();
  const say = useNotice((notice) => notice.show);
  return useCallback(() => {
    store
      .change(() => client.directMessages.open({ user_id: userId }), dmChannelSince)
      .then(
        (channel) => navigate(`/dm/${channel.id}`),
        (error) => say(errorText(error)),
      );
  }, [client, store, userId, navigate, say]);
}

/** The roles that the user may give and take, as entries that are switched. */
export function useRoleItems(userId: string, serverId: string | null): MenuItem[] {
  const { members } = useApp();
  const say = useNotice((notice) => notice.show);
  const roles = useAppState((state) => (serverId === null ? undefined : state.roles[serverId]));
  const held = useAppState((state) => (serverId === null ? undefined : state.members[serverId]?.[userId]?.roles));
  const { store } = useApp();
  return useMemo(() => {
    if (serverId === null || roles === undefined || held === undefined) return [];
    return changeableRoles(store.getState(), serverId, userId).map(({ role, isHeld }) => ({
      label: role.name,
      isOn: isHeld,
      onSelect: () => {
        members.setRole(serverId, userId, role.id, !isHeld).catch((error) => say(errorText(error)));
      },
    }));
  }, [roles, held, store, serverId, userId, members, say]);
}

const bits = ["MUTE_MEMBERS", "KICK_MEMBERS", "BAN_MEMBERS"] as const;

/** Change the nickname, time out, kick and ban, as far as the user may. */
export function useModeration(userId: string, username: string | undefined, serverId: string | null): MenuItem[] {
  const labels = texts.serverSettings.members;
  const { client, store } = useApp();
  const open = useOpenDialog((dialogs) => dialogs.open);
  const say = useNotice((notice) => notice.show);
  const allowed = useAppState(
    useShallow((state) =>
      serverId === null || state.members[serverId]?.[userId] === undefined
        ? []
        : bits.filter((bit) => mayModerate(state, serverId, userId, bit)),
    ),
  );
  const isTimedOut = useAppState((state) => {
    const until = serverId === null ? null : (state.members[serverId]?.[userId]?.timeout_expires_at ?? null);
    return until !== null && Date.parse(until) > Date.now();
  });
  const nickname = useNicknameItem(userId, serverId);
  if (serverId === null || username === undefined) return [];
  const ask = (bit: (typeof bits)[number]) => () => open({ kind: "moderate", bit, userId, username, serverId });
  const items = {
    MUTE_MEMBERS: isTimedOut
      ? {
          label: labels.endTimeout,
          icon: <Clock size={16} aria-hidden />,
          onSelect: () => {
            const member = { server_id: serverId, user_id: userId };
            store
              .change(
                () => client.moderation.endTimeout(serverId, userId),
                (state, _, since) => timeoutSince(state, member, null, since),
              )
              .catch((error) => say(errorText(error)));
          },
        }
      : { label: labels.timeout, icon: <Clock size={16} aria-hidden />, danger: true, onSelect: ask("MUTE_MEMBERS") },
    KICK_MEMBERS: {
      label: labels.kick,
      icon: <UserX size={16} aria-hidden />,
      danger: true,
      onSelect: ask("KICK_MEMBERS"),
    },
    BAN_MEMBERS: { label: labels.ban, icon: <Ban size={16} aria-hidden />, danger: true, onSelect: ask("BAN_MEMBERS") },
  };
  return [...(nickname === null ? [] : [nickname]), ...allowed.map((bit) => items[bit])];
}
