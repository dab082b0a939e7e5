import { Compass, Inbox, MessageCircle, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useRoute } from "wouter";
import { useAppState } from "../../state/app/use-app.js";
import { unreadItems } from "../../state/inbox/inbox.js";
import { isShownUnread, shownDirectMessages, shownMentions } from "../../state/notices/heard.js";
import type { AppState } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { Avatar } from "../../ui/look/avatar.js";
import { Badge } from "../../ui/look/badge.js";
import { ContextMenu } from "../../ui/overlays/context-menu.js";
import { type MenuPosition, useContextMenu } from "../../ui/overlays/use-context-menu.js";
import { useServerActions } from "../actions/server-actions.js";
import { AddServerDialog } from "./lazy-add-server.js";
import styles from "./server-rail.module.css";

/** Whether a server has unread messages that are heard of. */
const hasUnread = (state: AppState, serverId: string): boolean =>
  (state.channelIds[serverId] ?? []).some((id) => isShownUnread(state, id));

/** Number of mentions of the user in the unread messages of a server. */
const mentionsIn = (state: AppState, serverId: string): number =>
  (state.channelIds[serverId] ?? []).reduce((sum, id) => sum + shownMentions(state, id), 0);

/** The servers of the user, with links to further ones. */
export function ServerRail() {
  const servers = useAppState((state) => state.servers);
  const unreadDirect = useAppState(shownDirectMessages);
  const [isAdding, setAdding] = useState(false);
  const [isDirect] = useRoute("/dm/*?");
  const [isBrowsing] = useRoute("/browse");
  return (
    <nav className={styles.rail} data-region="servers" aria-label={texts.shell.servers}>
      <ul className={styles.list}>
        <RailLink
          href="/dm"
          title={texts.shell.directMessages}
          isCurrent={isDirect}
          icon={<MessageCircle size={22} aria-hidden />}
        >
          <Badge count={unreadDirect} label={texts.shell.unread} />
        </RailLink>
        <InboxLink />
        <li className={styles.line} aria-hidden />
        {servers.map(({ id, name, icon_url }) => (
          <ServerLink key={id} id={id} name={name} iconUrl={icon_url} />
        ))}
        <li className={styles.item}>
          <button
            type="button"
            className={styles.button}
            title={texts.shell.addServer}
            aria-label={texts.shell.addServer}
            onClick={() => setAdding(true)}
          >
            <Plus size={22} aria-hidden />
          </button>
        </li>
        <RailLink
          href="/browse"
          title={texts.shell.browse}
          isCurrent={isBrowsing}
          icon={<Compass size={22} aria-hidden />}
        />
      </ul>
      {isAdding ? <AddServerDialog onClose={() => setAdding(false)} /> : null}
    </nav>
  );
}

/** Leads to a place that is no server; `children` are its number. */
function RailLink({
  href,
  title,
  isCurrent,
  icon,
  children,
}: {
  href: string;
  title: string;
  isCurrent: boolean;
  icon: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className={styles.item} data-current={isCurrent}>
      <Link
        href={href}
        className={styles.button}
        title={title}
        aria-label={title}
        aria-current={isCurrent ? "page" : undefined}
      >
        {icon}
      </Link>
      {children === undefined ? null : <span className={styles.badge}>{children}</span>}
    </li>
  );
}

/** Leads to the inbox, with the number of its unread items. */
function InboxLink() {
  const [isCurrent] = useRoute("/inbox/*?");
  const unread = useAppState(unreadItems);
  return (
    <RailLink href="/inbox" title={texts.inbox.title} isCurrent={isCurrent} icon={<Inbox size={22} aria-hidden />}>
      <Badge count={unread} label={texts.inbox.unread(unread)} />
    </RailLink>
  );
}

function ServerActions({
  serverId,
  name,
  position,
  onClose,
}: {
  serverId: string;
  name: string;
  position: MenuPosition;
  onClose: () => void;
}) {
  const items = useServerActions(serverId);
  return <ContextMenu position={position} label={texts.shell.serverMenu(name)} items={items} onClose={onClose} />;
}

function ServerLink({ id, name, iconUrl }: { id: string; name: string; iconUrl: string | null }) {
  const isUnread = useAppState((state) => hasUnread(state, id));
  const mentions = useAppState((state) => mentionsIn(state, id));
  const [isCurrent] = useRoute(`/servers/${id}/*?`);
  const menu = useContextMenu();
  return (
    <li className={styles.item} data-current={isCurrent} data-unread={isUnread}>
      <Link
        href={`/servers/${id}`}
        className={styles.button}
        title={name}
        aria-label={isUnread ? `${name}, ${texts.shell.unread}` : name}
        aria-current={isCurrent ? "page" : undefined}
        {...menu.handlers}
      >
        <Avatar name={name} url={iconUrl} serverId={id} size={46} />
      </Link>
      <span className={styles.badge}>
        <Badge count={mentions} label={texts.shell.mentions(mentions)} />
      </span>
      {menu.position === null ? null : (
        <ServerActions serverId={id} name={name} position={menu.position} onClose={menu.close} />
      )}
    </li>
  );
}
