import { Bell } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { mayInChannel } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import type { PendingMessage } from "../../../state/store/app-state.js";
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
import { conversationRows, type Row } from "../message/rows.js";
import { SidePanel } from "./side-panel.js";
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
  const labels = texts.conversation;
  const conversation = useConversation();
  const { place } = conversation;
  const { details, histories } = useApp();
  const known = useAppState((state) => state.histories[place.id]?.messages.find(({ id }) => id === rootId));
  const quoted = useAppState((state) => state.quoted[rootId]);
  const thread = useAppState((state) => state.threads[rootId]);
  const pending = useAppState((state) => state.pending[rootId] ?? nothing);
  const myId = useAppState((state) => state.me?.id ?? "");
  const maySend = useAppState((state) => mayInChannel(state, place.id, "SEND_MESSAGES"));
  const rules = useAppState((state) => state.rules[conversation.serverId ?? ""] ?? null);
  const mayAttach = useAppState((state) => mayInChannel(state, place.id, "ATTACH_FILES"));
  const isStale = thread?.isStale === true;
  const files = useFiles();
  const reading = useData(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a stale thread is read again.
    useCallback(() => histories.openThread(place.id, rootId).then(() => true), [histories, place.id, rootId, isStale]),
  );
  const root = known ?? quoted;
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
    <SidePanel title={labels.threadTitle} wide actions={<ThreadBell rootId={rootId} />} onClose={onClose}>
      <ConversationProvider value={inThread}>
        <AsyncContent data={reading} shape="messages">
          {() => <ThreadRows rows={rows} replyId={replyId} />}
        </AsyncContent>
        {maySend && rules === null ? (
          <div className={styles.composer}>
            <Composer placeholder={labels.placeholderThread} threadId={rootId} files={files} mayAttach={mayAttach} />
          </div>
        ) : null}
      </ConversationProvider>
    </SidePanel>
  );
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
function ThreadRows({ rows, replyId }: { rows: readonly Row[]; replyId: string | undefined }) {
  const labels = texts.conversation;
  const isListed = rows.some(({ key }) => key === replyId);
  const position = useListPosition(
    rows,
    false,
    replyId !== undefined && isListed ? { kind: "row", key: replyId, align: "center", offset: 0 } : { kind: "end" },
  );
  return (
    <section className={styles.thread} aria-label={labels.threadTitle} onKeyDown={moveFocus}>
      <RowList position={position} rows={rows} targetId={replyId} />
      {rows.length === 1 ? <Empty>{labels.threadEmpty}</Empty> : null}
    </section>
  );
}
