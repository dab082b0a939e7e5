import type { DmChannel } from "@parley/client";
import { Users } from "lucide-react";
import { useEffect } from "react";
import { Link, useRoute } from "wouter";
import { countRequests } from "../../state/people.js";
import { useApp, useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { Badge } from "../../ui/badge.js";
import { Skeleton } from "../../ui/skeleton.js";
import { UserAvatar } from "../profile/user-avatar.js";
import { useFriends } from "../relations/use-relation.js";
import channelStyles from "./channel-list.module.css";
import styles from "./direct-list.module.css";

/** The direct message channels, the latest first. */
export function DirectList() {
  const { presence } = useApp();
  const channels = useAppState((state) => state.dmChannels);
  const isLoading = useAppState((state) => state.me === null);
  useEffect(() => {
    presence.show(
      "direct",
      channels.map(({ recipient }) => recipient.id),
    );
    return () => presence.show("direct", []);
  }, [channels, presence]);
  return (
    <nav className={styles.nav} aria-label={texts.shell.directMessages}>
      <h2 className={styles.title}>{texts.shell.directMessages}</h2>
      <div className={channelStyles.list} data-region="channels">
        <FriendsLink />
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

function DirectLink({ channel: { id, recipient } }: { channel: DmChannel }) {
  const [isCurrent] = useRoute(`/dm/${id}/*?`);
  const unread = useAppState((state) => state.unread[id] ?? 0);
  const presence = useAppState((state) => state.presence[recipient.id]);
  return (
    <li>
      <Link
        href={`/dm/${id}`}
        className={channelStyles.channel}
        aria-current={isCurrent ? "page" : undefined}
        data-unread={unread > 0}
      >
        <UserAvatar name={recipient.username} url={recipient.avatar_url} status={presence?.status} size={32} />
        <span className={styles.lines}>
          <bdi className={channelStyles.name}>{recipient.username}</bdi>
          {presence?.custom_status ? <bdi className={styles.text}>{presence.custom_status}</bdi> : null}
        </span>
        <Badge count={unread} label={texts.shell.unread} />
      </Link>
    </li>
  );
}
