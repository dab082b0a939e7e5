import type { InteractionMessage } from "@parley/client";
import { ArrowDown } from "lucide-react";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import type { PendingMessage } from "../../../state/store/app-state.js";
import { firstUnread, type History } from "../../../state/store/history.js";
import { texts } from "../../../texts/texts.js";
import { InviteButton } from "../../shell/invite-button.js";
import { useConversation } from "../context.js";
import { useFocusRequest } from "../focus-request.js";
import { conversationRows, type Row, withAppRows } from "../message/rows.js";
import styles from "./message-list.module.css";
import { moveFocus } from "./row-focus.js";
import { RowList } from "./row-list.js";
import { type Anchor, useListPosition } from "./use-list-position.js";
import { useReading } from "./use-reading.js";

const nothing: readonly PendingMessage[] = [];
const noMessages: readonly InteractionMessage[] = [];
/** Distance from an end, in pixels, at which further messages are read. */
const readAheadPx = 1_200;
/** Space above the first unread message, in pixels. */
const aboveNewPx = 48;

/** The linked message, with a number that grows with each request to show it. */
interface Target {
  id: string;
  scrollRequest: number;
}

/** A history with infinite scrolling in both directions. */
export function MessageList({ history, name, target }: { history: History; name: string; target: Target | null }) {
  const { place, jump } = useConversation();
  const { histories } = useApp();
  const myId = useAppState((state) => state.me?.id ?? "");
  const unread = useAppState((state) => state.unread[place.id] ?? 0);
  const pending = useAppState((state) => state.pending[place.id] ?? nothing);
  const [firstNewId, setFirstNewId] = useState(() => firstUnread(history, unread, myId));
  const ephemeral = useAppState((state) => state.ephemeral[place.id] ?? noMessages);
  const interactions = useAppState(
    useShallow((state) => state.interactions.filter(({ channelId }) => channelId === place.id)),
  );
  const rows = useMemo(() => {
    const messages = conversationRows(history.messages, history.hasNewer ? nothing : pending, firstNewId, myId);
    return withAppRows(messages, history, ephemeral, interactions);
  }, [history, pending, firstNewId, myId, ephemeral, interactions]);
  const position = useListPosition(rows, history.hasNewer, firstAnchor(history, target, firstNewId));
  const { hold, isAtEnd } = position;
  useTarget(rows, target, hold);
  const asked = interactions.filter(({ pressed }) => pressed === null);
  useOwnSends([...pending, ...asked, ...ephemeral].length, history.hasNewer, hold);
  useReading(
    place,
    history,
    isAtEnd,
    useCallback(
      (count: number) => setFirstNewId((known) => known ?? firstUnread(history, count, myId)),
      [history, myId],
    ),
  );

  const toNewest = async () => {
    if (history.hasNewer) await histories.toNewest(place).catch(() => undefined);
    if (target !== null) jump(null);
    hold({ kind: "end" });
    setFirstNewId(null);
  };

  return (
    <section
      className={styles.frame}
      data-region="messages"
      aria-label={texts.conversation.messages}
      onKeyDown={moveFocus}
    >
      {rows.length === 0 ? <Beginning name={name} isEmpty /> : null}
      <RowList
        position={position}
        rows={rows}
        isPrepending={useIsPrepending(history)}
        targetId={target?.id}
        beginning={history.hasOlder ? null : <Beginning name={name} />}
        onLook={useReadAhead(history)}
      />
      {isAtEnd ? null : <ToNewest unread={unread} onPress={toNewest} />}
    </section>
  );
}

/** Where the list begins: at the linked message, else at the first unread one, else at its end. */
function firstAnchor(history: History, target: Target | null, firstNewId: string | null): Anchor {
  if (target !== null && history.messages.some(({ id }) => id === target.id)) return anchorOf(target);
  return firstNewId === null ? { kind: "end" } : { kind: "row", key: firstNewId, align: "start", offset: -aboveNewPx };
}

const anchorOf = ({ id }: Target): Anchor => ({ kind: "row", key: id, align: "center", offset: 0 });

/** Shows the linked message once it is listed, again with each request, also for the focus. */
function useTarget(rows: readonly Row[], target: Target | null, hold: (anchor: Anchor) => void): void {
  const shown = useRef("");
  const isFocusAsked = useFocusRequest(({ messageId }) => messageId !== null && messageId === target?.id);
  useLayoutEffect(() => {
    if (target === null) return;
    const request = `${target.id} ${target.scrollRequest}`;
    if (shown.current === request && !isFocusAsked) return;
    if (!rows.some(({ key }) => key === target.id)) return;
    shown.current = request;
    hold(anchorOf(target));
  }, [rows, target, hold, isFocusAsked]);
}

/** Shows the end when the user sends something, or gets an answer that is for them alone. */
function useOwnSends(count: number, hasNewer: boolean, hold: (anchor: Anchor) => void): void {
  const before = useRef(count);
  useLayoutEffect(() => {
    const hasSent = count > before.current;
    before.current = count;
    if (hasSent && !hasNewer) hold({ kind: "end" });
  }, [count, hasNewer, hold]);
}

/** Returns a function that reads further messages when an end of the window is near. */
function useReadAhead({ hasOlder, hasNewer }: History): (frame: HTMLElement) => void {
  const { place } = useConversation();
  const { histories } = useApp();
  return useCallback(
    ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) => {
      if (clientHeight === 0) return;
      const below = scrollHeight - scrollTop - clientHeight;
      if (hasOlder && scrollTop < readAheadPx) void histories.older(place).catch(() => undefined);
      if (hasNewer && below < readAheadPx) void histories.newer(place).catch(() => undefined);
    },
    [hasOlder, hasNewer, histories, place],
  );
}

function ToNewest({ unread, onPress }: { unread: number; onPress: () => void }) {
  const labels = texts.conversation;
  return (
    <button type="button" className={styles.toNewest} onClick={onPress}>
      <ArrowDown size={16} aria-hidden />
      {unread > 0 ? labels.unreadBelow(unread) : labels.toNewest}
    </button>
  );
}

function Beginning({ name, isEmpty = false }: { name: string; isEmpty?: boolean }) {
  const { place, serverId } = useConversation();
  const labels = texts.conversation;
  return (
    <div className={styles.beginning}>
      <h2>
        <bdi>{place.kind === "direct" ? labels.beginningDirect(name) : labels.beginning(name)}</bdi>
      </h2>
      {isEmpty ? <p>{labels.empty}</p> : null}
      {isEmpty && serverId !== null ? <InviteButton serverId={serverId} /> : null}
    </div>
  );
}

/** Whether this render has messages before the first one of the previous render. */
function useIsPrepending(history: History): boolean {
  const before = useRef(history);
  const firstBefore = before.current.messages[0];
  const first = history.messages[0];
  const isPrepending =
    firstBefore !== undefined &&
    first !== undefined &&
    first.id < firstBefore.id &&
    before.current.messages.at(-1)?.id === history.messages.at(-1)?.id;
  useLayoutEffect(() => {
    before.current = history;
  });
  return isPrepending;
}
