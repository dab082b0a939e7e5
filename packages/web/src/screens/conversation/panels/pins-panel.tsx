import { useCallback } from "react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { AsyncContent, Empty } from "../../../ui/data/async-content.js";
import { useData } from "../../../ui/data/use-data.js";
import { Button } from "../../../ui/look/button.js";
import { useConversation } from "../context.js";
import { MessageItem } from "../message/message-item.js";
import styles from "./pins-panel.module.css";
import { SidePanel } from "./side-panel.js";

/** The pinned messages of a channel. */
export function PinsPanel({ onClose }: { onClose: () => void }) {
  const labels = texts.conversation;
  const { place, jump } = useConversation();
  const { histories } = useApp();
  const pins = useAppState((state) => state.pins[place.id]);
  const isUnknown = pins === undefined;
  const { error, reload } = useData(
    useCallback(async () => (isUnknown ? histories.readPins(place.id) : undefined), [histories, place.id, isUnknown]),
  );
  return (
    <SidePanel title={labels.pinsTitle} wide onClose={onClose}>
      <div className={styles.list}>
        <AsyncContent data={{ value: pins ?? null, error, reload }} shape="messages">
          {(messages) =>
            messages.length === 0 ? (
              <Empty>{labels.pinsEmpty}</Empty>
            ) : (
              messages.map((message) => (
                <div key={message.id} className={styles.pin}>
                  <MessageItem
                    row={{ kind: "message", key: message.id, message, isHead: true, day: null, isFirstNew: false }}
                  />
                  <Button kind="quiet" className={styles.go} onClick={() => jump(message.id)}>
                    {labels.goTo}
                  </Button>
                </div>
              ))
            )
          }
        </AsyncContent>
      </div>
    </SidePanel>
  );
}
