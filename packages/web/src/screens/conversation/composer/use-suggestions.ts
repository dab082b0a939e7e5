import { useState } from "react";
import { useListbox } from "../../../ui/forms/use-listbox.js";
import { useEmojiSettings } from "../../emoji/use-emoji-settings.js";
import type { Suggestion } from "./completion.js";
import { useCompletion } from "./use-completion.js";

/** The suggestions for the word at the caret, in the list of the text field. */
export function useSuggestions(text: string, caret: number, complete: (suggestion: Suggestion) => void) {
  const { query, found } = useCompletion(text, caret);
  const { count } = useEmojiSettings();
  const [isClosed, setClosed] = useState(false);
  const shown = isClosed ? [] : found;
  const pick = (index: number) => {
    const suggestion = shown[index];
    if (suggestion === undefined) return;
    if (suggestion.emoji !== undefined) count(suggestion.emoji);
    complete(suggestion);
  };
  const listbox = useListbox({
    count: shown.length,
    subject: `${query?.kind} ${query?.letters}`,
    onPick: pick,
    onClose: () => setClosed(true),
  });
  return { shown, listbox, setClosed };
}
