import { useRef } from "react";
import { useMedia } from "../../../ui/look/use-media.js";
import type { ChosenCommand } from "../../apps/use-commands.js";
import { useConversation } from "../context.js";
import { useQuotes } from "../quoting.js";
import { complete, completionAt } from "./completion.js";
import { useComposerFocus } from "./use-composer-focus.js";
import { useDraft } from "./use-draft.js";
import { useSuggestions } from "./use-suggestions.js";

/**
 * The text in the composer's field, with the suggestions for it and a way to insert at the caret.
 *
 * @param onCommand called with the command that the user chooses among the suggestions
 */
export function useComposing(threadId: string | undefined, onCommand: (chosen: ChosenCommand) => void) {
  const { place } = useConversation();
  const field = useRef<HTMLTextAreaElement>(null);
  const isTouch = useMedia("(pointer: coarse)");
  const draft = useDraft(threadId);
  const { text, caret } = draft;
  const change = (next: string, nextCaret: number) => {
    draft.change(next, nextCaret);
    suggestions.setClosed(false);
  };
  // Value and caret of the element change at once: the next key may be pressed before anything is rendered.
  const replace = (element: HTMLTextAreaElement, next: { text: string; caret: number }) => {
    element.focus();
    element.value = next.text;
    element.setSelectionRange(next.caret, next.caret);
    change(next.text, next.caret);
  };
  const suggestions = useSuggestions(text, caret, ({ inserted, mention, command }) => {
    if (field.current === null) return;
    if (command !== undefined) {
      draft.clear();
      onCommand(command);
      return;
    }
    const { value, selectionStart } = field.current;
    const query = completionAt(value, selectionStart);
    const word = mention === undefined ? inserted : `@${draft.choose(mention)}`;
    if (query !== null) replace(field.current, complete(value, query, selectionStart, word));
  });
  useComposerFocus(field, isTouch);
  const insert = (added: string) => {
    if (field.current === null) return;
    const { value, selectionStart, selectionEnd } = field.current;
    const before = value.slice(0, selectionStart) + added;
    replace(field.current, { text: before + value.slice(selectionEnd), caret: before.length });
  };
  useQuotes(threadId ?? place.id, (lines) => {
    const { value = "", selectionStart = 0 } = field.current ?? {};
    insert(selectionStart === 0 || value[selectionStart - 1] === "\n" ? lines : `\n${lines}`);
  });
  return { field, isTouch, draft, suggestions, change, insert };
}
