import { useEffect, useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { onMessageDeleteBulk } from "../../../state/conversations/message-events.js";
import { texts } from "../../../texts/texts.js";
import { Button } from "../../../ui/look/button.js";
import { ConfirmDialog } from "../../../ui/overlays/confirm.js";
import { useConversation } from "../context.js";
import { useSelection } from "./selection.js";
import styles from "./selection.module.css";

/** The number of selected messages, and the actions on them; nothing while none are being selected here. */
export function SelectionBar() {
  const { place } = useConversation();
  const isHere = useSelection(({ placeId }) => placeId === place.id);
  const end = useSelection((selection) => selection.end);
  useEffect(() => () => end(), [end]);
  return isHere ? <Bar channelId={place.id} onEnd={end} /> : null;
}

function Bar({ channelId, onEnd }: { channelId: string; onEnd: () => void }) {
  const labels = texts.conversation;
  const { client, store } = useApp();
  const ids = useSelection((selection) => selection.ids);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    const close = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === "Escape" && !defaultPrevented && !isAsking) onEnd();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [onEnd, isAsking]);
  const remove = async () => {
    const message_ids = [...ids];
    await client.messages.deleteMany(channelId, { message_ids });
    store.apply((state) => onMessageDeleteBulk(state, { channel_id: channelId, ids: message_ids }));
    onEnd();
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={labels.selection}>
      <p className={styles.count} role="status">
        {labels.selected(ids.size)}
      </p>
      <Button kind="quiet" onClick={onEnd}>
        {texts.common.cancel}
      </Button>
      <Button kind="danger" disabled={ids.size === 0} onClick={() => setAsking(true)}>
        {labels.remove}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={labels.removeManyTitle(ids.size)}
        explanation={labels.removeManyExplanation}
        confirmLabel={labels.remove}
        onConfirm={remove}
      />
    </div>
  );
}
