import { useRef } from "react";
import { useMedia } from "../../ui/use-media.js";
import { useComposerFocus } from "./use-composer-focus.js";
import { useDraft } from "./use-draft.js";
import { useSuggestions } from "./use-suggestions.js";

/** What is being written in the composer's field, with the suggestions for it and a way to insert at the caret. */
export function useComposing(threadId: string | undefined) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isTouch = useMedia("(pointer: coarse)");
  const draft = useDraft(threadId);
  const { text, caret } = draft;
  const change = (next: string, nextCaret: number) => {
    draft.change(next, nextCaret);
    suggestions.setClosed(false);
  };
  const replace = (next: { text: string; caret: number }) => {
    change(next.text, next.caret);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const suggestions = useSuggestions(text, caret, replace);
  useComposerFocus(field, isTouch);
  const insert = (added: string) =>
    replace({ text: text.slice(0, caret) + added + text.slice(caret), caret: caret + added.length });
  return { field, isTouch, draft, suggestions, change, insert };
}
