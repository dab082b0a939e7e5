import type { Message } from "@parley/client";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import type { Place } from "../../../state/conversations/histories.js";
import { texts } from "../../../texts/texts.js";
import { AsyncContent } from "../../../ui/data/async-content.js";
import { useDrop } from "../../../ui/forms/use-drop.js";
import { RulesPanel } from "../../safety/rules-panel.js";
import { Composer } from "../composer/composer.js";
import { CreationDialog } from "../composer/creation-dialog.js";
import { useFiles } from "../composer/use-files.js";
import type { Creation } from "../context.js";
import { ConversationProvider, useConversation } from "../context.js";
import { Announcer, AppAnnouncer } from "../list/announcer.js";
import { DeleteDialog } from "../list/delete-dialog.js";
import { MessageList } from "../list/message-list.js";
import { useHistory } from "../list/use-history.js";
import { SelectionBar } from "../selection/selection-bar.js";
import styles from "./conversation.module.css";
import { TypingLine } from "./typing-line.js";

/** The messages of a channel or with a user, and the composer. */
export function Conversation({
  place,
  serverId,
  name,
  linkedId,
  onJump,
  openThread,
  readOnlyReason,
  mayAttach,
  above,
  side,
}: {
  place: Place;
  serverId: string | null;
  name: string;
  /** Id of the message in the page's URL. */
  linkedId: string | null;
  /** Sets the message in the page's URL, or removes it. */
  onJump: (messageId: string | null) => void;
  openThread: ((rootId: string, replyId?: string) => void) | null;
  /** Reason why the user cannot write here. */
  readOnlyReason: string | null;
  mayAttach: boolean;
  above?: ReactNode;
  side?: ReactNode;
}) {
  const labels = texts.conversation;
  const { view } = useApp();
  useEffect(() => {
    return view.show(place.id);
  }, [view, place.id]);
  const files = useFiles();
  const rules = useAppState((state) => (serverId === null ? null : (state.rules[serverId] ?? null)));
  const { isDropping, handlers } = useDrop(mayAttach && readOnlyReason === null && rules === null, files.add);
  const { context, scrollRequest, removed, creation } = useContextOf({ place, serverId, onJump, openThread });
  return (
    <ConversationProvider value={context}>
      <div className={styles.columns}>
        <div className={styles.messages} {...handlers}>
          {above}
          <Messages {...{ name, linkedId, scrollRequest, onJump }} />
          {removed === null ? null : <DeleteDialog message={removed} onClose={() => context.remove(null)} />}
          {creation === null ? null : (
            <CreationDialog
              kind={creation}
              channelId={place.id}
              readOnlyReason={readOnlyReason ?? (rules === null ? null : labels.rules.explanation)}
              onClose={() => context.create(null)}
            />
          )}
          <SelectionBar key={place.id} />
          <Announcer placeId={place.id} />
          <AppAnnouncer key={`apps ${place.id}`} placeId={place.id} />
          {readOnlyReason === null && rules !== null && serverId !== null ? (
            <RulesPanel serverId={serverId} rules={rules} />
          ) : readOnlyReason === null ? (
            <Composer placeholder={labels.placeholder(name)} files={files} mayAttach={mayAttach} />
          ) : (
            <p className={styles.refusal}>{readOnlyReason}</p>
          )}
          <TypingLine placeId={place.id} />
          {isDropping ? <div className={styles.drop}>{labels.dropFiles}</div> : null}
        </div>
        {side}
      </div>
    </ConversationProvider>
  );
}

/** The list of messages, once it has been read. It alone follows the history: the rest stays as a message comes. */
function Messages({
  name,
  linkedId,
  scrollRequest,
  onJump,
}: {
  name: string;
  linkedId: string | null;
  scrollRequest: number;
  onJump: (messageId: string | null) => void;
}) {
  const { place, openThread } = useConversation();
  const { history, reading, shownId, isUnreadKnown } = useHistory({ place, linkedId, onJump, openThread });
  // A list that is shown once it has been read is rendered in slices between which the page takes inputs.
  const isListDue = useDeferredValue(history !== undefined);
  const target = useMemo(() => (shownId === null ? null : { id: shownId, scrollRequest }), [shownId, scrollRequest]);
  return history === undefined || !isListDue ? (
    <div className={styles.waiting}>
      <AsyncContent data={reading} shape="messages">
        {() => null}
      </AsyncContent>
    </div>
  ) : (
    <MessageList key={String(isUnreadKnown)} history={history} name={name} target={target} />
  );
}

/** The state that the components of the conversation share, the message that is to be deleted, and the open form. */
function useContextOf({
  place,
  serverId,
  onJump,
  openThread,
}: {
  place: Place;
  serverId: string | null;
  onJump: (messageId: string | null) => void;
  openThread: ((rootId: string, replyId?: string) => void) | null;
}) {
  const [editingId, edit] = useState<string | null>(null);
  const [removed, remove] = useState<Message | null>(null);
  const [replyTo, reply] = useState<string | null>(null);
  const [creation, create] = useState<Creation | null>(null);
  const [scrollRequest, setScrollRequest] = useState(0);
  const jump = useCallback(
    (messageId: string | null) => {
      setScrollRequest((before) => before + 1);
      onJump(messageId);
    },
    [onJump],
  );
  const context = useMemo(
    () => ({ place, serverId, editingId, edit, remove, replyTo, reply, create, openThread, jump }),
    [place, serverId, editingId, replyTo, openThread, jump],
  );
  return { context, scrollRequest, removed, creation };
}
