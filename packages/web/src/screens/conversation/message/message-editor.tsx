import type { DetailedMessage, Message } from "@parley/client";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { messageSince, withPreviews } from "../../../state/conversations/message-events.js";
import { messageRequests } from "../../../state/conversations/message-requests.js";
import { accountName } from "../../../state/people/names.js";
import { withNames, withUsernames } from "../../../state/sending/chosen-mentions.js";
import type { AppState } from "../../../state/store/app-state.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { Button } from "../../../ui/look/button.js";
import { holdPage } from "../../../ui/page/reload.js";
import { useConversation } from "../context.js";
import styles from "./message-editor.module.css";

/** Editor of an own message, in place of its text. */
export function MessageEditor({ message, onDone }: { message: Message; onDone: () => void }) {
  const labels = texts.conversation;
  const { client, store } = useApp();
  const { place, serverId } = useConversation();
  const { kind } = place;
  const [written] = useState(() => asWritten(store.getState(), serverId, message));
  const [text, setText] = useState(written.text);
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
    const sent = withUsernames(text, written.chosen);
    if (sent === message.content || (text.trim() !== "" && (await save.run(sent)))) onDone();
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

/** The text with the names that the composer gives members. */
function asWritten(state: AppState, serverId: string | null, { content, mention_user_ids }: Message) {
  const members = serverId === null ? {} : (state.members[serverId] ?? {});
  const mentioned = mention_user_ids.flatMap((id) => members[id] ?? []);
  return withNames(
    content,
    mentioned.map(({ user_id, username, nickname }) => ({
      name: nickname ?? accountName(state, { id: user_id, username }),
      username,
    })),
    new Set([...Object.values(members).map(({ username }) => username), "everyone"]),
  );
}
