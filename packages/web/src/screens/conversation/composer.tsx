import { SendHorizontal, Smile, X } from "lucide-react";
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { keepDraft, readDraft } from "../../state/drafts.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/button.js";
import { useMedia } from "../../ui/use-media.js";
import { AddMenu } from "./add-menu.js";
import { complete } from "./completion.js";
import styles from "./composer.module.css";
import { useConversation } from "./context.js";
import { EmojiButton } from "./emoji-button.js";
import { FileChips } from "./file-chips.js";
import { ReplyLine } from "./reply-line.js";
import { SuggestionList, suggestionId } from "./suggestion-list.js";
import { useCompletion } from "./use-completion.js";
import type { useFiles } from "./use-files.js";

const lengthMax = 4_000;
const typingEveryMs = 3_000;

/** The field for new messages. */
export function Composer({
  placeholder,
  threadId,
  files,
  mayAttach,
}: {
  placeholder: string;
  threadId?: string;
  files: ReturnType<typeof useFiles>;
  mayAttach: boolean;
}) {
  const names = texts.conversation;
  const { sending, gateway } = usePage();
  const { place, replyTo, reply, editingId, edit } = useConversation();
  const draftKey = threadId ?? place.id;
  const [text, setText] = useState(() => readDraft(draftKey));
  const [caret, setCaret] = useState(text.length);
  const [isClosed, setClosed] = useState(false);
  const [selected, setSelected] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const isTouch = useMedia("(pointer: coarse)");
  const { query, found } = useCompletion(text, caret);
  const suggestions = isClosed ? [] : found;
  const lastOwn = useLastOwn(threadId);
  const typedAt = useRef(0);

  useEffect(() => {
    if (!isTouch) field.current?.focus();
  }, [isTouch]);
  useEffect(() => {
    if (replyTo !== null) field.current?.focus();
  }, [replyTo]);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The focus was in the editor, which is removed now.
    if (wasEditing.current && editingId === null && !isTouch) field.current?.focus();
    wasEditing.current = editingId !== null;
  }, [editingId, isTouch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed word resets the selection.
  useEffect(() => setSelected(0), [query?.letters, query?.kind]);

  const change = (next: string, nextCaret: number) => {
    setText(next);
    setCaret(nextCaret);
    setClosed(false);
    keepDraft(draftKey, next);
    if (next === "" || Date.now() - typedAt.current < typingEveryMs || threadId !== undefined) return;
    typedAt.current = Date.now();
    gateway.startTyping(place.id);
  };
  const insert = (next: { text: string; caret: number }) => {
    change(next.text, next.caret);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const pick = (index: number) => {
    const suggestion = suggestions[index];
    if (query !== null && suggestion !== undefined) insert(complete(text, query, caret, suggestion.inserted));
  };
  const excess = [...text].length - lengthMax;
  const isSendable = (text.trim() !== "" || files.files.length > 0) && excess <= 0;
  const send = () => {
    if (!isSendable) return;
    void sending.send({
      place,
      content: text.trim() === "" ? "" : text,
      files: files.files,
      ...(threadId === undefined ? {} : { threadId }),
      ...(replyTo === null ? {} : { replyTo }),
    });
    change("", 0);
    typedAt.current = 0;
    files.clear();
    reply(null);
    field.current?.focus();
  };

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isOpen = suggestions.length > 0;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isOpen && step !== undefined) setSelected((selected + step + suggestions.length) % suggestions.length);
    else if (isOpen && (event.key === "Enter" || event.key === "Tab")) pick(selected);
    else if (isOpen && event.key === "Escape") setClosed(true);
    else if (event.key === "Enter" && !event.shiftKey && !isTouch) send();
    else if (event.key === "ArrowUp" && text === "" && lastOwn !== undefined) edit(lastOwn);
    else if (event.key === "Escape" && replyTo !== null) reply(null);
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || !mayAttach) return;
    event.preventDefault();
    files.add(pasted);
  };
  const onSelect = (event: { currentTarget: HTMLTextAreaElement }) => setCaret(event.currentTarget.selectionStart);

  return (
    <div className={styles.composer}>
      <SuggestionList id={listId} suggestions={suggestions} selected={selected} onPick={pick} />
      {replyTo === null ? null : <ReplyLine messageId={replyTo} onCancel={() => reply(null)} />}
      <FileChips files={files.files} onRemove={files.remove} />
      {files.error === null ? null : (
        <p role="alert" className={styles.error}>
          {files.error}
        </p>
      )}
      <div className={styles.line}>
        {place.kind === "channel" ? (
          <AddMenu mayAttach={mayAttach} threadId={threadId ?? null} onFiles={files.add} />
        ) : null}
        <textarea
          ref={field}
          className={styles.text}
          dir="auto"
          rows={1}
          role="combobox"
          aria-label={placeholder}
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={suggestions.length > 0 ? suggestionId(listId, selected) : undefined}
          placeholder={placeholder}
          value={text}
          onChange={(event: ChangeEvent<HTMLTextAreaElement>) =>
            change(event.target.value, event.target.selectionStart)
          }
          onSelect={onSelect}
          onKeyDown={onKey}
          onPaste={onPaste}
          onBlur={() => setClosed(true)}
        />
        <EmojiButton
          label={names.emoji}
          onPick={(emoji) =>
            insert({ text: text.slice(0, caret) + emoji.text + text.slice(caret), caret: caret + emoji.text.length })
          }
        >
          <Smile size={20} aria-hidden />
        </EmojiButton>
        <IconButton label={names.send} className={styles.send} disabled={!isSendable} onClick={send}>
          <SendHorizontal size={20} aria-hidden />
        </IconButton>
      </div>
      {excess > 0 ? (
        <p role="status" className={styles.error}>
          <X size={14} aria-hidden /> {names.tooLong(excess)}
        </p>
      ) : null}
    </div>
  );
}

/** Id of the newest own message that can be edited, in the channel or thread. */
function useLastOwn(threadId: string | undefined): string | undefined {
  const { place } = useConversation();
  return usePageState((state) => {
    if (place.kind === "direct") return undefined;
    const history = threadId === undefined ? state.histories[place.id] : state.threads[threadId];
    return history?.messages.findLast(
      ({ author_id, poll, event }) => author_id === state.me?.id && poll === null && event === null,
    )?.id;
  });
}
