import { X } from "lucide-react";
import { useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { useConversation } from "../context.js";
import { useAuthor } from "../message/use-author.js";
import styles from "./reply-line.module.css";

/** The message that the next one replies to, with a button to cancel. */
export function ReplyLine({ messageId, onCancel }: { messageId: string; onCancel: () => void }) {
  const { place } = useConversation();
  const authorId = useAppState(
    (state) => state.histories[place.id]?.messages.find(({ id }) => id === messageId)?.author_id ?? null,
  );
  const { name } = useAuthor(authorId);
  return (
    <div className={styles.line}>
      <span>{texts.conversation.replyingTo(name)}</span>
      <IconButton label={texts.conversation.cancelReply} onClick={onCancel}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
