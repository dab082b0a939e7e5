import type { AnyMessage } from "@parley/client";
import { excerpt } from "@parley/message-text";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { useAppState } from "../../state/app/use-app.js";
import { isBlocked } from "../../state/people/people.js";
import { texts } from "../../texts/texts.js";
import { Row } from "../../ui/lists/rows.js";
import { showMoment, showWhen } from "../conversation/times.js";
import styles from "./kept-row.module.css";
import { placeOf } from "./place.js";

const excerptMax = 280;

/** A row of a list of messages and their places: in the inbox, and what the user keeps, plans or is reminded of. */
export function KeptRow({
  head,
  picture,
  place: { channelId, messageId },
  onOpen,
  onNavigate,
  isPlaceShown = true,
  message,
  text,
  note,
  time,
  isUnread = false,
  actions,
}: {
  head: string;
  picture: ReactNode;
  /** Where the row leads; nowhere without a channel. */
  place: { channelId: string | null; messageId?: string | null };
  /** Instead of going there. */
  onOpen?: () => void;
  /** Before it. */
  onNavigate?: () => void;
  isPlaceShown?: boolean;
  message: AnyMessage | null;
  /** In the place of the message's. */
  text?: string | null;
  /** What the user has written beside it, or what is wrong with it. */
  note?: ReactNode;
  /** Null where the head says it. */
  time: string | null;
  isUnread?: boolean;
  actions?: ReactNode;
}) {
  const place = useAppState(useShallow((state) => placeOf(state, channelId)));
  const shown = useText(message, text ?? null);
  const path = place === null ? null : messageId == null ? place.path : `${place.path}/${messageId}`;
  return (
    <Row
      frame={{ className: styles.row ?? "" }}
      picture={picture}
      title={
        <>
          {path === null ? (
            <bdi>{head}</bdi>
          ) : (
            <Link
              href={path}
              className={styles.link}
              data-unread={isUnread}
              onClick={(event) => {
                onNavigate?.();
                if (onOpen === undefined) return;
                event.preventDefault();
                onOpen();
              }}
            >
              <bdi>{head}</bdi>
            </Link>
          )}
          {isUnread ? <span className={styles.dot} role="img" aria-label={texts.inbox.isUnread} /> : null}
          {time === null ? null : (
            <time className={styles.time} dateTime={time} title={showMoment(time)}>
              {showWhen(time)}
            </time>
          )}
        </>
      }
      detail={
        <>
          {place === null || !isPlaceShown ? null : <bdi className={styles.place}>{place.name}</bdi>}
          {shown === null ? null : (
            <p className={styles.text} dir="auto">
              {shown}
            </p>
          )}
          {note}
        </>
      }
      actions={actions}
    />
  );
}

/** The words of a message in one paragraph; that of somebody whom the user has blocked stays folded. */
function useText(message: AnyMessage | null, text: string | null): string | null {
  const isFolded = useAppState((state) => isBlocked(state, message?.author_id ?? null));
  if (text !== null) return text;
  if (message === null) return null;
  if (isFolded) return texts.people.folded;
  return excerpt(message.content, excerptMax) || texts.inbox.withoutText;
}
