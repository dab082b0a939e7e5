import { Bell } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { mayInChannel } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import type { PendingMessage } from "../../../state/store/app-state.js";
import type { History } from "../../../state/store/history.js";
import { texts } from "../../../texts/texts.js";
import { AsyncContent, Empty } from "../../../ui/data/async-content.js";
import { useData } from "../../../ui/data/use-data.js";
import { IconButton } from "../../../ui/look/button.js";
import { Menu } from "../../../ui/overlays/menu.js";
import { useThreadNotifications } from "../../actions/notification-items.js";
import { Composer } from "../composer/composer.js";
import { useFiles } from "../composer/use-files.js";
import { ConversationProvider, useConversation } from "../context.js";
import { moveFocus } from "../list/row-focus.js";
import { RowList } from "../list/row-list.js";
import { useListPosition } from "../list/use-list-position.js";
import { useReading } from "../list/use-reading.js";
import { conversationRows, type Row } from "../message/rows.js";
import { SidePanel } from "./side-panel.js";
import { ThreadMenu } from "./thread-menu.js";
import styles from "./thread-panel.module.css";

const nothing: readonly PendingMessage[] = [];
/** Messages in a thread cannot reply to one of its messages. */
const withoutReplies = { openThread: null, replyTo: null, reply: () => undefined };

/** The replies to a message, from the newest one on or at a linked one. */
export function ThreadPanel({
  rootId,
  replyId,
  onClose,
}: {
  rootId: string;
  replyId: string | undefined;
  onClose: () => void;
}) {
  const labels = { ...texts.conversation, ...texts.threads };
  const conversation = useConversation();
  const { place } = conversation;
  const { details, histories } = useApp();
  const known = useAppState((state) => state.histories[place.id]?.messages.find(({ id }) => id === rootId));
  const quoted = useAppState((state) => state.quoted[rootId]);
  const root = known ?? quoted;
  const thread = useAppState((state) => state.threads[rootId]);
  const pending = useAppState((state) => state.pending[rootId] ?? nothing);
  const myId = useAppState((state) => state.me?.id ?? "");
  const maySend = useAppState((state) => mayInChannel(state, place.id, "SEND_MESSAGES"));
  const rules = useAppState((state) => state.rules[conversation.serverId ?? ""] ?? null);
  const mayAttach = useAppState((state) => mayInChannel(state, place.id, "ATTACH_FILES"));
  const isStale = thread?.isStale === true;
  const files = useFiles();
  const { state, isClosed, mayManage, mayChange } = useThreadState(rootId, root?.author_id);
  const reading = useData(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a stale thread is read again.
    useCallback(() => histories.openThread(place.id, rootId).then(() => true), [histories, place.id, rootId, isStale]),
  );
  // The history may move on to other messages, without the root.
  const isRootMissing = root === undefined && thread !== undefined;
  useRead(
    useCallback(async () => {
      if (isRootMissing) await details.readQuoted(place.id, rootId);
    }, [details, place.id, rootId, isRootMissing]),
  );
  const rows = useMemo(
    () =>
      root === undefined || root === null || thread === undefined
        ? []
        : conversationRows([root, ...thread.messages], pending, null, myId),
    [root, thread, pending, myId],
  );
  const [editingId, edit] = useState<string | null>(null);
  const inThread = useMemo(() => ({ ...conversation, ...withoutReplies, editingId, edit }), [conversation, editingId]);
  return (
    <SidePanel
      title={state?.title ?? labels.threadTitle}
      wide
      actions={
        <>
          <ThreadBell rootId={rootId} />
          <ThreadMenu rootId={rootId} mayChange={mayChange} hasReplies={(thread?.messages.length ?? 0) > 0} />
        </>
      }
      onClose={onClose}
    >
      <ConversationProvider value={inThread}>
        <AsyncContent data={reading} shape="messages">
          {() => (thread === undefined ? null : <ThreadRows rows={rows} thread={thread} {...{ rootId, replyId }} />)}
        </AsyncContent>
        {maySend && isClosed ? (
          <p className={styles.closed}>{mayManage ? labels.closedForYou : labels.closed}</p>
        ) : null}
        {maySend && rules === null && (!isClosed || mayManage) ? (
          <div className={styles.composer}>
            <Composer placeholder={labels.placeholderThread} threadId={rootId} files={files} mayAttach={mayAttach} />
          </div>
        ) : null}
      </ConversationProvider>
    </SidePanel>
  );
}

/** Title and end of the thread, which are read once it has replies, and what the user may change of them. */
function useThreadState(rootId: string, authorId: string | null | undefined) {
  const { place, serverId } = useConversation();
  const { histories } = useApp();
  const state = useAppState(({ threadStates }) => threadStates[rootId]);
  const isUnknown = useAppState(({ threads }) => (threads[rootId]?.messages.length ?? 0) > 0) && state === undefined;
  const mayManage = useAppState((app) => mayInChannel(app, place.id, "MANAGE_MESSAGES"));
  const isMine = useAppState(({ me }) => authorId != null && me?.id === authorId);
  useRead(
    useCallback(async () => {
      if (isUnknown && serverId !== null) await histories.readThreadState(serverId, place.id, rootId);
    }, [histories, serverId, place.id, rootId, isUnknown]),
  );
  return { state, isClosed: state?.closed === true, mayManage, mayChange: mayManage || isMine };
}

/** The notifications of the thread. */
function ThreadBell({ rootId }: { rootId: string }) {
  const items = useThreadNotifications(rootId);
  return (
    <Menu
      trigger={
        <IconButton label={texts.notifications.title}>
          <Bell size={18} aria-hidden />
        </IconButton>
      }
      items={items}
    />
  );
}

/** The root and the replies, which the list follows as long as its end is in view. */
function ThreadRows({
  rows,
  thread,
  rootId,
  replyId,
}: {
  rows: readonly Row[];
  thread: History;
  rootId: string;
  replyId: string | undefined;
}) {
  const labels = texts.conversation;
  const isListed = rows.some(({ key }) => key === replyId);
  const position = useListPosition(
    rows,
    false,
    replyId !== undefined && isListed ? { kind: "row", key: replyId, align: "center", offset: 0 } : { kind: "end" },
  );
  useReading(
    useMemo(() => ({ kind: "thread", id: rootId }), [rootId]),
    thread,
    position.isAtEnd,
  );
  return (
    <section className={styles.thread} aria-label={labels.threadTitle} onKeyDown={moveFocus}>
      <RowList position={position} rows={rows} targetId={replyId} />
      {rows.length === 1 ? <Empty>{labels.threadEmpty}</Empty> : null}
    </section>
  );
}
