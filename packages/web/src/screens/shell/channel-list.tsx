import type { Channel } from "@parley/client";
import { ChevronDown, ChevronRight, Hash, Lock, Plus, Volume2 } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useRoute } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { categoryFolded } from "../../device/device-storage.js";
import { isPrivate, mayInServer, visibleChannels } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { groupChannels } from "../../state/community/channel-groups.js";
import { isChannelMuted, isShownUnread, shownMentions } from "../../state/notices/heard.js";
import { texts } from "../../texts/texts.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { Badge } from "../../ui/look/badge.js";
import { IconButton } from "../../ui/look/button.js";
import { ContextMenu } from "../../ui/overlays/context-menu.js";
import { type MenuPosition, useContextMenu } from "../../ui/overlays/use-context-menu.js";
import { useCategoryActions, useChannelActions } from "../actions/channel-actions.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import styles from "./channel-list.module.css";
import { CreateChannelButton } from "./create-channel-button.js";
import { DraftMark } from "./draft-mark.js";
import { ServerMenu } from "./server-menu.js";
import { VoiceMembers } from "./voice-members.js";

const nothing: readonly Channel[] = [];

/** The channels of a server, by category. */
export function ChannelList({ serverId }: { serverId: string }) {
  const channels = useAppState(useShallow((state) => visibleChannels(state, serverId) ?? nothing));
  const isEmpty = useAppState((state) => visibleChannels(state, serverId)?.length === 0);
  const isLoading = useAppState((state) => visibleChannels(state, serverId) === undefined);
  const groups = useMemo(() => groupChannels(channels), [channels]);
  return (
    <>
      <ServerMenu serverId={serverId} />
      <nav className={styles.list} data-region="channels" aria-label={texts.shell.channels}>
        {isLoading ? <Skeleton shape="channels" /> : null}
        {groups.map(({ category, channels: members }) => (
          <Group key={category ?? ""} serverId={serverId} category={category} channels={members} />
        ))}
        {isEmpty ? (
          <div className={styles.empty}>
            <p>{texts.shell.noChannels}</p>
            <CreateChannelButton serverId={serverId} />
          </div>
        ) : null}
      </nav>
    </>
  );
}

function Group({
  serverId,
  category,
  channels,
}: {
  serverId: string;
  category: string | null;
  channels: readonly Channel[];
}) {
  const folded = categoryFolded(serverId, category);
  const [isOpen, setOpen] = useState(() => !folded.read());
  const unreadIds = useAppState(
    useShallow((state) => channels.filter(({ id }) => isShownUnread(state, id)).map(({ id }) => id)),
  );
  const toggle = () => {
    folded.write(isOpen);
    setOpen(!isOpen);
  };
  // Unread channels stay visible in a folded category.
  const shown = isOpen ? channels : channels.filter(({ id }) => unreadIds.includes(id));
  return (
    <section className={styles.group}>
      {category === null ? null : (
        <CategoryButton serverId={serverId} category={category} channels={channels} isOpen={isOpen} onToggle={toggle} />
      )}
      <ul className={styles.channels}>
        {shown.map((channel) => (
          <ChannelLink key={channel.id} channel={channel} />
        ))}
      </ul>
    </section>
  );
}

interface Category {
  serverId: string;
  category: string;
  channels: readonly Channel[];
  isOpen: boolean;
  onToggle: () => void;
}

function CategoryButton(props: Category) {
  const { serverId, category, isOpen, onToggle } = props;
  const menu = useContextMenu();
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  const mayCreate = useAppState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const open = useOpenDialog((dialogs) => dialogs.open);
  return (
    <div className={styles.head}>
      <button
        type="button"
        className={styles.category}
        aria-expanded={isOpen}
        aria-label={texts.shell.category(category, isOpen)}
        onClick={onToggle}
        {...menu.handlers}
      >
        <Arrow size={12} aria-hidden />
        <bdi>{category}</bdi>
      </button>
      {mayCreate ? (
        <IconButton
          label={texts.shell.createIn(category)}
          onClick={() => open({ kind: "create channel", serverId, category })}
        >
          <Plus size={16} aria-hidden />
        </IconButton>
      ) : null}
      {menu.position === null ? null : <CategoryMenu {...props} position={menu.position} onClose={menu.close} />}
    </div>
  );
}

function CategoryMenu({ position, onClose, ...category }: Category & { position: MenuPosition; onClose: () => void }) {
  const items = useCategoryActions(category);
  return (
    <ContextMenu
      position={position}
      label={texts.shell.categoryMenu(category.category)}
      items={items}
      onClose={onClose}
    />
  );
}

function ChannelMenu({
  channel,
  position,
  onClose,
}: {
  channel: Channel;
  position: MenuPosition;
  onClose: () => void;
}) {
  const items = useChannelActions(channel);
  return (
    <ContextMenu position={position} label={texts.shell.channelMenu(channel.name)} items={items} onClose={onClose} />
  );
}

function ChannelLink({ channel }: { channel: Channel }) {
  const path = `/servers/${channel.server_id}/channels/${channel.id}`;
  const [isCurrent] = useRoute(`${path}/*?`);
  const isUnread = useAppState((state) => isShownUnread(state, channel.id));
  const isMuted = useAppState((state) => isChannelMuted(state, channel.id));
  const mentions = useAppState((state) => shownMentions(state, channel.id));
  const { histories } = useApp();
  const menu = useContextMenu();
  const isVoice = channel.type === "voice";
  const isHidden = useAppState((state) => isPrivate(state, channel));
  // Reads the history in advance: a channel under the pointer is often opened next.
  const prepare = () => void histories.open({ kind: "channel", id: channel.id }).catch(() => undefined);
  const OpenIcon = isVoice ? Volume2 : Hash;
  const Icon = isHidden ? Lock : OpenIcon;
  return (
    <li>
      <Link
        href={path}
        className={styles.channel}
        aria-current={isCurrent ? "page" : undefined}
        data-unread={isUnread}
        data-muted={isMuted}
        onPointerEnter={prepare}
        onFocus={prepare}
        {...menu.handlers}
      >
        <Icon size={18} aria-hidden className={styles.icon} />
        {isVoice ? <span className="visually-hidden">{texts.shell.voiceChannel} </span> : null}
        <bdi className={styles.name}>{channel.name}</bdi>
        {isHidden ? <span className="visually-hidden">, {texts.shell.privateChannel}</span> : null}
        {isUnread ? <span className="visually-hidden">, {texts.shell.unread}</span> : null}
        {isMuted ? <span className="visually-hidden">, {texts.notifications.muted}</span> : null}
        <DraftMark placeId={channel.id} isCurrent={isCurrent} />
        <Badge count={mentions} label={texts.shell.mentions(mentions)} />
      </Link>
      {menu.position === null ? null : <ChannelMenu channel={channel} position={menu.position} onClose={menu.close} />}
      {isVoice ? <VoiceMembers channelId={channel.id} /> : null}
    </li>
  );
}
