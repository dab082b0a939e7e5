import type { Channel } from "@parley/client";
import { CalendarDays, Ellipsis, Hash, MessageSquare, MessagesSquare, Pin, Users, Volume2 } from "lucide-react";
import type { ReactNode } from "react";
import { useAppState } from "../../../state/app/use-app.js";
import type { Place } from "../../../state/conversations/histories.js";
import { countUnreadThreads } from "../../../state/notices/heard.js";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { useIsNarrow } from "../../../ui/look/use-media.js";
import { Menu } from "../../../ui/overlays/menu.js";
import { TopBar } from "../../shell/top-bar.js";
import styles from "./channel-screen.module.css";
import type { useChannelSide } from "./channel-side.js";
import { useDateDialog } from "./date-button.js";

type Side = ReturnType<typeof useChannelSide>;

/** The name and topic of a channel, with the buttons of the panels beside it. */
export function ChannelBar({ channel, place, side }: { channel: Channel; place: Place; side: Side }) {
  const isVoice = channel.type === "voice";
  const Icon = isVoice ? Volume2 : Hash;
  const date = useDateDialog(place, `/servers/${channel.server_id}/channels/${channel.id}`);
  const unread = useAppState((state) => countUnreadThreads(state, channel.server_id));
  const actions: readonly BarAction[] = [
    {
      label: unread === 0 ? texts.threads.title : texts.threads.titleUnread(unread),
      icon: <MessagesSquare size={19} aria-hidden />,
      isOpen: side.areThreadsOpen,
      isMarked: unread > 0,
      onSelect: side.toggleThreads,
    },
    {
      label: texts.conversation.pins,
      icon: <Pin size={19} aria-hidden />,
      isOpen: side.arePinsOpen,
      onSelect: side.togglePins,
    },
    { label: texts.conversation.date.title, icon: <CalendarDays size={19} aria-hidden />, onSelect: date.open },
  ];
  return (
    <TopBar icon={<Icon size={20} aria-hidden />} title={channel.name} note={channel.topic}>
      {isVoice ? <ChatButton channelId={channel.id} side={side} /> : null}
      <BarActions name={channel.name} actions={actions} />
      {date.dialog}
      <IconButton label={texts.shell.showMembers} aria-pressed={side.areMembersOpen} onClick={side.toggleMembers}>
        <Users size={19} aria-hidden />
      </IconButton>
    </TopBar>
  );
}

interface BarAction {
  label: string;
  icon: ReactNode;
  /** Whether its panel is open; undefined without a panel. */
  isOpen?: boolean;
  isMarked?: boolean;
  onSelect: () => void;
}

/** A button for each action, or on a narrow screen one menu, which leaves room for the name of the channel. */
function BarActions({ name, actions }: { name: string; actions: readonly BarAction[] }) {
  const isNarrow = useIsNarrow();
  if (isNarrow) {
    const isMarked = actions.some((action) => action.isMarked);
    return (
      <Menu
        trigger={
          <IconButton label={texts.shell.moreFor(name)} className={styles.marked} data-unread={isMarked}>
            <Ellipsis size={19} aria-hidden />
          </IconButton>
        }
        items={actions.map(({ label, icon, onSelect }) => ({ label, icon, onSelect }))}
      />
    );
  }
  return actions.map(({ label, icon, isOpen, isMarked, onSelect }) => (
    <IconButton
      key={label}
      label={label}
      aria-pressed={isOpen}
      className={styles.marked}
      data-unread={isMarked}
      onClick={onSelect}
    >
      {icon}
    </IconButton>
  ));
}

/** Opens and folds the chat beside a stage; marked while it has messages that were not read. */
function ChatButton({ channelId, side }: { channelId: string; side: Side }) {
  const labels = texts.voice;
  const isUnread = useAppState((state) => (state.unread[channelId] ?? 0) > 0) && !side.isChatOpen;
  return (
    <IconButton
      label={side.isChatOpen ? labels.hideChat : isUnread ? labels.showNewChat : labels.showChat}
      aria-expanded={side.isChatOpen}
      className={styles.marked}
      data-unread={isUnread}
      onClick={side.toggleChat}
    >
      <MessageSquare size={19} aria-hidden />
    </IconButton>
  );
}
