import type { Message } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { useCallback } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { onMessageDelete } from "../../../state/conversations/message-events.js";
import { messageRequests } from "../../../state/conversations/message-requests.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { Button } from "../../../ui/look/button.js";
import { Actions, Dialog } from "../../../ui/overlays/dialog.js";
import { useConversation } from "../context.js";
import styles from "./delete-dialog.module.css";

/** Characters of the message that are shown. */
const quoteMax = 300;

/** Confirmation of the deletion of a message. */
export function DeleteDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const labels = texts.conversation;
  const { client, store } = useApp();
  const { kind } = useConversation().place;
  const remove = useAction(
    useCallback(async () => {
      await messageRequests(client, kind).delete(message.id);
      store.apply((state) => onMessageDelete(state, message));
      onClose();
    }, [client, kind, store, message, onClose]),
  );
  return (
    <Dialog open onOpenChange={onClose} title={labels.removeTitle} description={labels.removeExplanation}>
      <p className={styles.quoted} dir="auto">
        {excerpt(message.content, quoteMax)}
      </p>
      <ErrorNote error={remove.error} />
      <Actions>
        <Button kind="quiet" onClick={onClose}>
          {texts.common.cancel}
        </Button>
        <Button kind="danger" data-first-focus disabled={remove.isBusy} onClick={() => void remove.run()}>
          {labels.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
