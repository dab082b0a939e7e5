import type { DispatchEvents, Thread } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { pageSize, useEventPages } from "../../../state/app/use-event-pages.js";
import { texts } from "../../../texts/texts.js";
import { Chips } from "../../../ui/forms/chips.js";
import { Checkbox } from "../../../ui/forms/field.js";
import { AsyncRows } from "../../../ui/lists/async-rows.js";
import { Tag } from "../../../ui/lists/rows.js";
import { Badge } from "../../../ui/look/badge.js";
import { KeptRow } from "../../inbox/kept-row.js";
import { UserAvatar } from "../../profile/user-avatar.js";
import { useThreadRequest } from "../asked-thread.js";
import { useConversation } from "../context.js";
import styles from "./pins-panel.module.css";
import { SidePanel } from "./side-panel.js";

const shows = ["active", "closed", "followed"] as const;
const headMax = 80;
const events: readonly (keyof DispatchEvents)[] = [
  "THREAD_UPDATE",
  "THREAD_MESSAGE_CREATE",
  "MESSAGE_DELETE",
  "NOTIFICATIONS_UPDATE",
];
const idOf = ({ id }: Thread) => id;

/** The threads of a channel, or of its server, the one with the latest reply first. */
export function ThreadsPanel({ openThread, onClose }: { openThread: (rootId: string) => void; onClose: () => void }) {
  const labels = texts.threads;
  const { client } = useApp();
  const { place, serverId } = useConversation();
  const [show, setShow] = useState<(typeof shows)[number]>("active");
  const [isServerWide, setServerWide] = useState(false);
  const { data, more } = useEventPages(
    useCallback(
      async (page, signal) => {
        const filter = show === "followed" ? { followed: true } : { state: show };
        const where = isServerWide ? {} : { channel_id: place.id };
        const options = signal === undefined ? {} : { signal };
        return (await client.threads.find(serverId ?? "", { ...page, ...filter, ...where }, options)).threads;
      },
      [client, serverId, place.id, show, isServerWide],
    ),
    events,
    idOf,
  );
  return (
    <SidePanel title={labels.title} wide onClose={onClose}>
      <div className={styles.list}>
        <Chips
          label={labels.show}
          choices={shows.map((each) => ({ value: each, label: labels.shows[each] }))}
          value={show}
          onChoose={setShow}
        />
        <Checkbox
          label={labels.serverWide}
          checked={isServerWide}
          onChange={({ currentTarget }) => setServerWide(currentTarget.checked)}
        />
        <AsyncRows
          key={`${show} ${isServerWide}`}
          data={data}
          label={labels.title}
          empty={labels.none[show]}
          more={{ label: labels.more, action: more, pageSize }}
        >
          {(thread) => (
            <ThreadRow key={thread.id} thread={thread} isPlaceShown={isServerWide} openThread={openThread} />
          )}
        </AsyncRows>
      </div>
    </SidePanel>
  );
}

function ThreadRow({
  thread,
  isPlaceShown,
  openThread,
}: {
  thread: Thread;
  isPlaceShown: boolean;
  openThread: (rootId: string) => void;
}) {
  const { id, channel_id: channelId, title, root, reply_count, last_reply_at, participants, closed } = thread;
  const { place, serverId } = useConversation();
  const [, navigate] = useLocation();
  const unread = useAppState((state) => state.unread[id] ?? 0);
  const open = () => {
    if (channelId === place.id) openThread(id);
    else {
      useThreadRequest.setState({ asked: { channelId, rootId: id } });
      navigate(`/servers/${serverId}/channels/${channelId}`);
    }
  };
  const author = thread.created_by ?? { username: texts.conversation.deletedAccount, avatar_url: null };
  return (
    <KeptRow
      head={title ?? (excerpt(root.content, headMax) || texts.inbox.withoutText)}
      picture={<UserAvatar name={author.username} url={author.avatar_url} size={32} />}
      place={{ channelId, messageId: id }}
      onOpen={open}
      isPlaceShown={isPlaceShown}
      message={title === null ? null : root}
      note={
        <span>
          {texts.conversation.threadOf(reply_count)}
          {closed ? (
            <>
              {" "}
              <Tag>{texts.threads.isClosed}</Tag>
            </>
          ) : null}
          <span className="visually-hidden">, {participants.map(({ username }) => username).join(", ")}</span>
        </span>
      }
      time={last_reply_at}
      isUnread={unread > 0}
      actions={<Badge count={unread} label={texts.shell.unread} />}
    />
  );
}
