import type { ClipboardEvent, KeyboardEvent, RefObject } from "react";
import { useAppState } from "../../../state/app/use-app.js";
import { useConversation } from "../context.js";
import styles from "./composer.module.css";
import type { useDraft } from "./use-draft.js";
import type { useSuggestions } from "./use-suggestions.js";

/** The field in which a message is written. */
export function ComposerField({
  field,
  label,
  threadId,
  draft,
  suggestions,
  isTouch,
  onChange,
  onFiles,
  onSend,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  threadId: string | undefined;
  draft: ReturnType<typeof useDraft>;
  suggestions: ReturnType<typeof useSuggestions>;
  isTouch: boolean;
  onChange: (text: string, caret: number) => void;
  /** Null where files cannot be attached. */
  onFiles: ((files: readonly File[]) => void) | null;
  onSend: () => void;
}) {
  const { replyTo, reply, edit } = useConversation();
  const lastOwn = useLastOwn(threadId);
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!suggestions.listbox.onKey(event.key)) {
      if (event.key === "Enter" && !event.shiftKey && !isTouch) onSend();
      else if (event.key === "ArrowUp" && draft.text === "" && lastOwn !== undefined) edit(lastOwn);
      else if (event.key === "Escape" && replyTo !== null) reply(null);
      else return;
    }
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || onFiles === null) return;
    event.preventDefault();
    onFiles(pasted);
  };
  return (
    <textarea
      ref={field}
      className={styles.text}
      // The direction of the text; the placeholder of an empty field has that of the page.
      dir={draft.text === "" ? undefined : "auto"}
      rows={1}
      data-composer
      aria-label={label}
      // A field of several lines may not be a combobox; ARIA has this for one with suggestions.
      aria-haspopup="listbox"
      {...suggestions.listbox.field}
      placeholder={label}
      value={draft.text}
      onChange={({ target }) => onChange(target.value, target.selectionStart)}
      onSelect={({ currentTarget }) => draft.setCaret(currentTarget.selectionStart)}
      onKeyDown={onKey}
      onPaste={onPaste}
      onBlur={() => suggestions.setClosed(true)}
    />
  );
}

/** Id of the newest own message that can be edited, in the channel or thread. */
function useLastOwn(threadId: string | undefined): string | undefined {
  const { place } = useConversation();
  return useAppState((state) => {
    const history = threadId === undefined ? state.histories[place.id] : state.threads[threadId];
    return history?.messages.findLast(
      ({ author_id, poll, event }) => author_id === state.me?.id && poll === null && event === null,
    )?.id;
  });
}
