import type { DetailedMessage, Message } from "@parley/client";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { messageSince, withPreviews } from "../../../state/message-events.js";
import { messageRequests } from "../../../state/message-requests.js";
import { useApp } from "../../../state/use-app.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/async-content.js";
import { Button } from "../../../ui/button.js";
import { holdPage } from "../../../ui/reload.js";
import { useAction } from "../../../ui/use-action.js";
import { useConversation } from "../context.js";
import styles from "./message-editor.module.css";

/** Editor of an own message, in place of its text. */
export function MessageEditor({ message, onDone }: { message: Message; onDone: () => void }) {
  const labels = texts.conversation;
  const { client, store } = useApp();
  const { kind } = useConversation().place;
  const [text, setText] = useState(message.content);
  const field = useRef<HTMLTextAreaElement>(null);
  const save = useAction(
    useCallback(
      async (content: string) => {
        await store.change(
          () => messageRequests(client, kind).edit(message.id, content),
          (state, edited, since) =>
            messageSince(state, message, ({ previews }: DetailedMessage) => withPreviews(edited, previews), since),
        );
      },
      [client, kind, store, message],
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on mount only.
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  useEffect(() => {
    return holdPage();
  }, []);
  const submit = async () => {
    if (text === message.content || (text.trim() !== "" && (await save.run(text)))) onDone();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") onDone();
    else if (event.key === "Enter" && !event.shiftKey) void submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.editor}>
      <textarea
        ref={field}
        className={styles.text}
        aria-label={labels.editing}
        value={text}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      <ErrorNote error={save.error} />
      <div className={styles.actions}>
        <span>{labels.editHint}</span>
        <Button kind="quiet" onClick={onDone}>
          {texts.common.cancel}
        </Button>
        <Button disabled={save.isBusy || text.trim() === ""} onClick={() => void submit()}>
          {texts.common.save}
        </Button>
      </div>
    </div>
  );
}
