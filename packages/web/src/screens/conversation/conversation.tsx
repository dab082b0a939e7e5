import { type Message, ParleyError } from "@parley/client";
import { type DragEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import type { Place } from "../../state/histories.js";
import type { History } from "../../state/history.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/async-content.js";
import { useData } from "../../ui/use-data.js";
import { Announcer } from "./announcer.js";
import { Composer } from "./composer.js";
import { Conversing } from "./context.js";
import styles from "./conversation.module.css";
import { DeleteDialog } from "./delete-dialog.js";
import { MessageList } from "./message-list.js";
import { TypingLine } from "./typing-line.js";
import { useFiles } from "./use-files.js";

/** The messages of a channel or with a user, and the composer. */
export function Conversation({
  place,
  serverId,
  name,
  linkedId,
  onJump,
  openThread,
  refusal,
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
  openThread: ((rootId: string) => void) | null;
  /** Reason why the user cannot write here. */
  refusal: string | null;
  mayAttach: boolean;
  above?: ReactNode;
  side?: ReactNode;
}) {
  const names = texts.conversation;
  const { histories } = usePage();
  const history = usePageState((state) => state.histories[place.id]);
  const [editingId, edit] = useState<string | null>(null);
  const [removed, remove] = useState<Message | null>(null);
  const [replyTo, reply] = useState<string | null>(null);
  const [wish, setWish] = useState(0);
  const [isDropping, setDropping] = useState(false);
  const files = useFiles();
  const isStale = history?.isStale === true;
  const isSettled = useSettled(history);
  const reading = useData(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a stale history is read again.
    useCallback(async () => {
      try {
        if (linkedId !== null) await histories.jump(place.id, linkedId);
        else await histories.open(place);
      } catch (error) {
        const isGone = error instanceof ParleyError && error.code === "Message not found";
        if (!isGone) throw error;
        onJump(null);
      }
      return true;
    }, [histories, place, linkedId, onJump, isStale]),
  );
  useEffect(() => () => histories.leave(place), [histories, place]);
  const jump = useCallback(
    (messageId: string | null) => {
      setWish((before) => before + 1);
      onJump(messageId);
    },
    [onJump],
  );
  const context = useMemo(
    () => ({ place, serverId, editingId, edit, remove, replyTo, reply, openThread, jump }),
    [place, serverId, editingId, replyTo, openThread, jump],
  );
  const target = useMemo(() => (linkedId === null ? null : { id: linkedId, wish }), [linkedId, wish]);
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (!mayAttach || refusal !== null || !event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setDropping(true);
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return;
      setDropping(false);
    },
    onDrop: (event: DragEvent) => {
      setDropping(false);
      if (!mayAttach || refusal !== null) return;
      event.preventDefault();
      files.add([...event.dataTransfer.files]);
    },
  };
  return (
    <Conversing value={context}>
      <div className={styles.columns}>
        <div className={styles.messages} {...drop}>
          {above}
          {history === undefined ? (
            <div className={styles.waiting}>
              <AsyncContent data={reading}>{() => null}</AsyncContent>
            </div>
          ) : (
            <MessageList key={String(isSettled)} history={history} name={name} target={target} />
          )}
          {removed === null ? null : <DeleteDialog message={removed} onClose={() => remove(null)} />}
          <Announcer placeId={place.id} />
          {refusal === null ? (
            <Composer placeholder={names.placeholder(name)} files={files} mayAttach={mayAttach} />
          ) : (
            <p className={styles.refusal}>{refusal}</p>
          )}
          <TypingLine placeId={place.id} />
          {isDropping ? <div className={styles.drop}>{names.dropFiles}</div> : null}
        </div>
        {side}
      </div>
    </Conversing>
  );
}

/**
 * Whether both the history and the number of unread messages have been read. Until then the list shows messages, but not
 * which of them are new; it begins anew when that is known.
 */
function useSettled(history: History | undefined): boolean {
  const isReady = usePageState((state) => state.me !== null);
  const [isSettled, setSettled] = useState(false);
  if (!isSettled && isReady && history?.isStale === false) setSettled(true);
  return isSettled;
}
