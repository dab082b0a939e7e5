import type { AnyDmChannel } from "@parley/client";
import { Users, UsersRound } from "lucide-react";
import { useEffect } from "react";
import { Link, useRoute } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { isChannelMuted } from "../../state/notices/heard.js";
import { countRequests } from "../../state/people/people.js";
import { isGroup, peopleOf } from "../../state/store/group-people.js";
import { texts } from "../../texts/texts.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { Badge } from "../../ui/look/badge.js";
import { ContextMenu } from "../../ui/overlays/context-menu.js";
import { type MenuPosition, useContextMenu } from "../../ui/overlays/use-context-menu.js";
import { useDirectNotifications } from "../actions/notification-items.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { DirectPicture } from "../groups/direct-picture.js";
import { directTitle } from "../groups/direct-title.js";
import { useFriends } from "../relations/use-relation.js";
import channelStyles from "./channel-list.module.css";
import styles from "./direct-list.module.css";
import { DraftMark } from "./draft-mark.js";

/** The direct message channels, the latest first. */
export function DirectList() {
  const { presence } = useApp();
  const channels = useAppState((state) => state.dmChannels);
  const isLoading = useAppState((state) => state.me === null);
  useEffect(() => {
    presence.show(
      "direct",
      channels.flatMap(peopleOf).map(({ id }) => id),
    );
    return () => presence.show("direct", []);
  }, [channels, presence]);
  return (
    <nav className={styles.nav} aria-label={texts.shell.directMessages}>
      <h2 className={styles.title}>{texts.shell.directMessages}</h2>
      <div className={channelStyles.list} data-region="channels">
        <FriendsLink />
        <CreateGroupButton />
        {isLoading ? (
          <Skeleton shape="members" />
        ) : channels.length === 0 ? (
          <p className={channelStyles.empty}>{texts.shell.noDirectMessages}</p>
        ) : null}
        <ul className={channelStyles.channels}>
          {channels.map((channel) => (
            <DirectLink key={channel.id} channel={channel} />
          ))}
        </ul>
      </div>
    </nav>
  );
}

/** Leads to friends, with the number of those who ask for friendship. */
function FriendsLink() {
  useFriends();
  const [isCurrent] = useRoute("/friends");
  const requests = useAppState(countRequests);
  return (
    <Link
      href="/friends"
      className={channelStyles.channel}
      aria-current={isCurrent ? "page" : undefined}
      data-unread={requests > 0}
    >
      <Users size={20} aria-hidden />
      <span className={styles.lines}>{texts.people.title}</span>
      <Badge count={requests} label={texts.people.requests(requests)} />
    </Link>
  );
}

function CreateGroupButton() {
  const open = useOpenDialog((dialogs) => dialogs.open);
  return (
    <button
      type="button"
      className={`${channelStyles.channel} ${styles.button}`}
      onClick={() => open({ kind: "create group" })}
    >
      <UsersRound size={20} aria-hidden />
      <span className={styles.lines}>{texts.groups.create}</span>
    </button>
  );
}

function DirectMenu({
  channel,
  position,
  onClose,
}: {
  channel: AnyDmChannel;
  position: MenuPosition;
  onClose: () => void;
}) {
  const items = useDirectNotifications(channel.id);
  const label = texts.shell.channelMenu(directTitle(channel));
  return <ContextMenu position={position} label={label} items={items} onClose={onClose} />;
}

function DirectLink({ channel }: { channel: AnyDmChannel }) {
  const { id, recipient } = channel;
  const [isCurrent] = useRoute(`/dm/${id}/*?`);
  const isMuted = useAppState((state) => isChannelMuted(state, id));
  const unread = useAppState((state) => (isMuted ? 0 : (state.unread[id] ?? 0)));
  const menu = useContextMenu();
  const status = useAppState((state) => state.presence[recipient.id]?.custom_status);
  const note = isGroup(channel) ? texts.groups.count(channel.recipients.length + 1) : status;
  return (
    <li>
      <Link
        href={`/dm/${id}`}
        className={channelStyles.channel}
        aria-current={isCurrent ? "page" : undefined}
        data-unread={unread > 0}
        data-muted={isMuted}
        {...menu.handlers}
      >
        <DirectPicture channel={channel} size={32} />
        <span className={styles.lines}>
          <bdi className={channelStyles.name}>{directTitle(channel)}</bdi>
          {note ? <bdi className={styles.text}>{note}</bdi> : null}
        </span>
        {isMuted ? <span className="visually-hidden">, {texts.notifications.muted}</span> : null}
        <DraftMark placeId={id} isCurrent={isCurrent} />
        <Badge count={unread} label={texts.shell.unread} />
      </Link>
      {menu.position === null ? null : <DirectMenu channel={channel} position={menu.position} onClose={menu.close} />}
    </li>
  );
}
