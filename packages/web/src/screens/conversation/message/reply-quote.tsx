import { excerpt } from "@parley/message-text";
import { useCallback } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useRead } from "../../../state/app/use-read.js";
import { isBlocked } from "../../../state/people/people.js";
import { texts } from "../../../texts/texts.js";
import { useConversation } from "../context.js";
import styles from "./reply-quote.module.css";
import { useAuthor } from "./use-author.js";

/** Characters of the message that are shown. */
const quoteMax = 200;

/** One line of the message that another one replies to, with a link to it. */
export function ReplyQuote({ messageId }: { messageId: string }) {
  const { place, jump } = useConversation();
  const { details } = useApp();
  const known = useAppState((state) => state.histories[place.id]?.messages.find(({ id }) => id === messageId));
  const quoted = useAppState((state) => state.quoted[messageId]);
  const message = known ?? quoted;
  const isUnknown = message === undefined;
  useRead(
    useCallback(async () => {
      if (isUnknown) await details.readQuoted(place.id, messageId);
    }, [details, place.id, messageId, isUnknown]),
  );
  const { name } = useAuthor(message?.author_id ?? null);
  const isFolded = useAppState((state) => isBlocked(state, message?.author_id ?? null));
  if (message === null) return <p className={styles.quote}>{texts.conversation.replyGone}</p>;
  return (
    <button
      type="button"
      className={styles.quote}
      title={texts.conversation.jumpToReply}
      onClick={() => jump(messageId)}
    >
      {isFolded ? (
        <span className={styles.text}>{texts.people.folded}</span>
      ) : (
        <>
          <bdi className={styles.name}>{message === undefined ? "…" : name}</bdi>
          <bdi className={styles.text}>{message === undefined ? null : excerpt(message.content, quoteMax)}</bdi>
        </>
      )}
    </button>
  );
}
