import { useApp, useAppState } from "../../../state/app/use-app.js";
import { nameIn } from "../../../state/people/names.js";
import type { PendingMessage } from "../../../state/store/app-state.js";
import { formats, texts } from "../../../texts/texts.js";
import { Button } from "../../../ui/look/button.js";
import { UserAvatar } from "../../profile/user-avatar.js";
import { useConversation } from "../context.js";
import { MentionsOfText } from "../markdown/mentions.js";
import { showWhen } from "../times.js";
import { LongText } from "./long-text.js";
import messageStyles from "./message-item.module.css";
import styles from "./pending-item.module.css";
import { ReplyQuote } from "./reply-quote.js";
import type { Row } from "./rows.js";

/** A message that is being sent, or whose sending failed. */
export function PendingItem({
  row: { pending, isHead },
  isLast = false,
}: {
  row: Extract<Row, { kind: "pending" }>;
  isLast?: boolean;
}) {
  const labels = texts.conversation;
  const { serverId } = useConversation();
  const me = useAppState((state) => state.me);
  const name = useAppState((state) => (state.me === null ? undefined : nameIn(state, serverId, state.me.id)));
  return (
    <article className={messageStyles.message} data-head={isHead} data-row tabIndex={isLast ? 0 : -1}>
      {pending.replyTo === null ? null : <ReplyQuote messageId={pending.replyTo} />}
      {isHead && me !== null ? (
        <>
          <span className={messageStyles.avatar}>
            <UserAvatar name={me.username} url={me.avatar_url} size={40} />
          </span>
          <header className={messageStyles.head}>
            <bdi className={messageStyles.name}>{name}</bdi>
            <time className={messageStyles.time}>{showWhen(pending.createdAt)}</time>
          </header>
        </>
      ) : (
        <span />
      )}
      <div className={messageStyles.content}>
        <div className={pending.state === "sending" ? styles.sending : undefined}>
          <MentionsOfText value={null}>
            <LongText text={pending.content} />
          </MentionsOfText>
          {pending.files.map((file) => (
            <p key={file.name} className={styles.file}>
              <bdi>{file.name}</bdi>
            </p>
          ))}
          {pending.state === "sending" ? <span className="visually-hidden">{labels.sending}</span> : null}
        </div>
        <Upload pending={pending} />
        {pending.state === "sending" ? null : <NotSent pending={pending} />}
      </div>
    </article>
  );
}

/** How much of the files is sent, while this page sends them. */
function Upload({ pending: { nonce, files } }: { pending: PendingMessage }) {
  const labels = texts.conversation;
  const { sending } = useApp();
  const progress = useAppState((state) => state.uploads[nonce]);
  if (progress === undefined) return null;
  const label = labels.uploading(formats.list(files.map(({ name }) => name)));
  return (
    <div className={styles.upload}>
      <progress className={styles.progress} value={progress} aria-label={label} />
      <Button kind="quiet" onClick={() => sending.stop(nonce)}>
        {labels.stopUpload}
      </Button>
    </div>
  );
}

/** The reason why a message is not sent, and the user's actions on it. */
function NotSent({ pending }: { pending: PendingMessage }) {
  const labels = texts.conversation;
  const { sending } = useApp();
  const { state, error } = pending;
  const isWaiting = state === "waiting";
  return (
    <div className={styles.failed} data-waiting={isWaiting} role={isWaiting ? "status" : "alert"}>
      <span>{isWaiting ? labels.waiting : labels.failed(error ?? texts.common.failed)}</span>
      {state === "refused" ? null : (
        <Button kind="quiet" onClick={() => void sending.retry(pending)}>
          {labels.retry}
        </Button>
      )}
      {isWaiting ? null : (
        <Button kind="quiet" onClick={() => sending.takeBack(pending)}>
          {labels.change}
        </Button>
      )}
      <Button kind="quiet" onClick={() => void sending.discard(pending)}>
        {labels.discard}
      </Button>
    </div>
  );
}
