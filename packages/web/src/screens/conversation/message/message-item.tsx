import type { Message, MessageWebhook } from "@parley/client";
import { MessagesSquare, Pin } from "lucide-react";
import { memo, type ReactNode, useEffect, useState } from "react";
import { create } from "zustand";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { isNamedBy } from "../../../state/people/people.js";
import { texts } from "../../../texts/texts.js";
import { Tag } from "../../../ui/lists/rows.js";
import { Badge } from "../../../ui/look/badge.js";
import { readableColor } from "../../../ui/look/readable-color.js";
import { useContextMenu } from "../../../ui/overlays/use-context-menu.js";
import { lazyPart } from "../../../ui/page/lazy-part.js";
import { BotTag } from "../../profile/bot-tag.js";
import { ProfileTrigger } from "../../profile/profile-trigger.js";
import { UserAvatar } from "../../profile/user-avatar.js";
import { useConversation } from "../context.js";
import { useAskedFocus } from "../focus-request.js";
import { MentionsOfMessage } from "../markdown/mentions.js";
import { SelectionMark, selectWithSpace, useIsSelecting, useSelect } from "../selection/selection-mark.js";
import { showClock, showDay, showMoment, showWhen } from "../times.js";
import { Attachments } from "./attachments.js";
import { EventCard } from "./event-card.js";
import { FoldedLine, useFold } from "./folded-line.js";
import { Forwarded } from "./forwarded.js";
import { LeftOutParts } from "./left-out-parts.js";
import { LinkCards } from "./link-cards.js";
import { LongText } from "./long-text.js";
import { MessageActions, MessageMenu } from "./message-actions.js";
import { MessageEditor } from "./message-editor.js";
import styles from "./message-item.module.css";
import { Poll } from "./poll.js";
import { Reactions } from "./reactions.js";
import { ReplyQuote } from "./reply-quote.js";
import type { Row } from "./rows.js";
import { type Author, useAuthor } from "./use-author.js";

/** Details are requested after the message was displayed for this time, so not during fast scrolling. */
const restMs = 120;

/** One message of a history, with the day and the mark of new messages above it. */
export const MessageItem = memo(function MessageItem({
  row: { message, isHead, day, isFirstNew },
  isTarget = false,
  isLast = false,
}: {
  row: Extract<Row, { kind: "message" }>;
  isTarget?: boolean;
  isLast?: boolean;
}) {
  const labels = texts.conversation;
  const { editingId, edit } = useConversation();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isMentioned = useAppState((state) => isNamedBy(state, message));
  useDetails(message);
  const menu = useContextMenu();
  const isEditing = editingId === message.id;
  const isSelecting = useIsSelecting(message);
  const select = useSelect(message);
  const [isFolded, unfold] = useFold(message.author_id);
  const element = useAskedFocus(message.id, isTarget);
  // When the editor closes it takes the focus along, and the browser sends no event.
  useEffect(() => {
    if (!isEditing) setFocused(element.current?.matches(":focus-visible, :has(:focus-visible)") === true);
  }, [isEditing, element]);
  return (
    <>
      {day === null ? null : (
        <div className={styles.day}>
          <span>{showDay(day)}</span>
        </div>
      )}
      {isFirstNew ? (
        <div className={styles.new}>
          <span>{labels.newMessages}</span>
        </div>
      ) : null}
      <article
        ref={element}
        className={styles.message}
        data-row
        data-head={isHead}
        data-mentioned={isMentioned && !isFolded}
        data-target={isTarget}
        tabIndex={isLast ? 0 : -1}
        {...menu.handlers}
        onKeyDown={isSelecting ? (event) => selectWithSpace(event, select) : undefined}
        // Fingers and pens do not hover; the menu has all actions.
        onPointerEnter={({ pointerType }) => setHovered(pointerType === "mouse")}
        onPointerLeave={({ currentTarget }) => setHovered(hasOpenPart(currentTarget))}
        onFocus={({ target }) => setFocused(target.matches(":focus-visible"))}
        onBlur={({ currentTarget, relatedTarget }) => {
          const isOpen = hasOpenPart(currentTarget);
          setFocused(isOpen || currentTarget.contains(relatedTarget));
          setHovered((before) => isOpen || (before && currentTarget.matches(":hover")));
        }}
      >
        {isFolded ? (
          <FoldedLine onShow={unfold} />
        ) : (
          <>
            {message.reply_to === null ? null : <ReplyQuote messageId={message.reply_to} />}
            {message.interaction === undefined ? null : <AskedBy userId={message.interaction.user_id} />}
            {isHead ? <Head message={message} /> : <Time message={message} />}
            <div className={styles.content}>
              {isEditing ? (
                <MessageEditor message={message} onDone={() => edit(null)} />
              ) : (
                <MessageBody message={message} />
              )}
              <Attachments messageId={message.id} />
              <Reactions messageId={message.id} channelId={message.channel_id} />
              <ThreadLink message={message} />
            </div>
          </>
        )}
        {(isHovered || isFocused) && !isEditing && !isSelecting ? (
          <OneBar isHovered={isHovered}>
            <MessageActions message={message} />
          </OneBar>
        ) : null}
        {isSelecting ? <SelectionMark message={message} /> : null}
        {menu.position === null ? null : (
          <MessageMenu message={message} position={menu.position} onClose={menu.close} />
        )}
      </article>
    </>
  );
});

/** Number of messages under the mouse. */
const useHovered = create<{ count: number }>(() => ({ count: 0 }));

/** Shows a bar of actions, one at a time: that of the message below the mouse, otherwise that of the message with the focus. */
function OneBar({ isHovered, children }: { isHovered: boolean; children: ReactNode }) {
  const isAnyHovered = useHovered(({ count }) => count > 0);
  useEffect(() => {
    if (!isHovered) return;
    useHovered.setState(({ count }) => ({ count: count + 1 }));
    return () => useHovered.setState(({ count }) => ({ count: count - 1 }));
  }, [isHovered]);
  return isHovered || !isAnyHovered ? children : null;
}

/** Whether a menu or picker of the message is open. It would close if the button that opened it were removed. */
const hasOpenPart = (row: HTMLElement): boolean => row.querySelector('[data-state="open"]') !== null;

/** The content of a message: text, poll or event. */
export function MessageBody({ message }: { message: Message }) {
  if (message.poll !== null) return <Poll poll={message.poll} message={message} />;
  if (message.event !== null) return <EventCard event={message.event} message={message} />;
  return (
    <>
      {message.content === "" ? null : (
        <MentionsOfMessage message={message}>
          <LongText text={message.content} />
        </MentionsOfMessage>
      )}
      {message.forwarded === undefined ? null : <Forwarded of={message.forwarded} />}
      {message.edited_at === null ? null : (
        <span className={styles.edited} data-inline title={texts.conversation.editedAt(showMoment(message.edited_at))}>
          {texts.conversation.edited}
        </span>
      )}
      <LinkCards message={message} />
      {message.embeds === undefined && message.components === undefined ? null : <AppParts message={message} />}
      {message.parts_left_out === undefined ? null : <LeftOutParts message={message} />}
    </>
  );
}

/** Few messages have embeds or components. */
const AppParts = lazyPart(async () => (await import("./embeds/app-parts.js")).AppParts);

/** A message of an incoming webhook has a name and picture of its own: its account is nobody. */
const webhookAuthor = ({ name, avatar_url }: MessageWebhook): Author => ({
  name,
  username: undefined,
  avatarUrl: avatar_url,
  color: undefined,
});

function Head({ message }: { message: Message }) {
  const { serverId } = useConversation();
  const account = useAuthor(message.webhook === undefined ? message.author_id : null);
  const { name, username, avatarUrl, color } = message.webhook === undefined ? account : webhookAuthor(message.webhook);
  const label = (
    <bdi className={styles.name} style={color === undefined ? {} : { color: readableColor(color) }}>
      {name}
    </bdi>
  );
  return (
    <>
      <span className={styles.avatar}>
        <UserAvatar name={username ?? name} url={avatarUrl} size={40} />
      </span>
      <header className={styles.head}>
        {message.author_id === null || message.webhook !== undefined ? (
          label
        ) : (
          <ProfileTrigger userId={message.author_id} serverId={serverId}>
            <button type="button" className={styles.author}>
              {label}
            </button>
          </ProfileTrigger>
        )}
        {message.webhook === undefined ? <BotTag username={username} /> : <Tag>{texts.apps.webhook}</Tag>}
        <time className={styles.time} dateTime={message.created_at} title={showMoment(message.created_at)}>
          {showWhen(message.created_at)}
        </time>
        {message.pinned ? <Pin size={13} className={styles.pin} aria-label={texts.conversation.pinned} /> : null}
      </header>
    </>
  );
}

/** The user who asked the bot for a message. */
function AskedBy({ userId }: { userId: string }) {
  const { name } = useAuthor(userId);
  return <p className={styles.asked}>{texts.apps.askedBy(name)}</p>;
}

function Time({ message }: { message: Message }) {
  return (
    <time className={styles.sideTime} dateTime={message.created_at} title={showMoment(message.created_at)}>
      {showClock(message.created_at)}
    </time>
  );
}

function ThreadLink({ message }: { message: Message }) {
  const { openThread } = useConversation();
  const unread = useAppState((state) => state.unread[message.id] ?? 0);
  if (openThread === null || message.thread_reply_count === 0) return null;
  return (
    <button type="button" className={styles.thread} data-unread={unread > 0} onClick={() => openThread(message.id)}>
      <MessagesSquare size={15} aria-hidden />
      {texts.conversation.threadOf(message.thread_reply_count)}
      <Badge count={unread} label={texts.shell.unread} />
    </button>
  );
}

function useDetails(message: Message) {
  const { details } = useApp();
  const isRead = useAppState((state) => state.reactions[message.id] !== undefined);
  useEffect(() => {
    if (isRead) return;
    const timer = setTimeout(() => {
      details.readReactions(message.channel_id, message.id).catch(() => undefined);
    }, restMs);
    return () => clearTimeout(timer);
  }, [details, message.channel_id, message.id, isRead]);
}
