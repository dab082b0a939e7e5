import { useEffect, useId, useState } from "react";
import { useEmojiSettings } from "../../emoji/use-emoji-settings.js";
import type { Suggestion } from "./completion.js";
import { useCompletion } from "./use-completion.js";

/** The suggestions for the word at the caret, with the selected one and the keys that select and insert it. */
export function useSuggestions(text: string, caret: number, complete: (suggestion: Suggestion) => void) {
  const { query, found } = useCompletion(text, caret);
  const { count } = useEmojiSettings();
  const [isClosed, setClosed] = useState(false);
  const [selected, setSelected] = useState(0);
  const listId = useId();
  const shown = isClosed ? [] : found;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed word resets the selection.
  useEffect(() => {
    setSelected(0);
  }, [query?.letters, query?.kind]);
  const pick = (index: number) => {
    const suggestion = shown[index];
    if (suggestion === undefined) return;
    if (suggestion.emoji !== undefined) count(suggestion.emoji);
    complete(suggestion);
  };
  /** @returns whether the key was for the suggestions */
  const onKey = (key: string): boolean => {
    if (shown.length === 0) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) setSelected((selected + step + shown.length) % shown.length);
    else if (key === "Enter" || key === "Tab") pick(selected);
    else if (key === "Escape") setClosed(true);
    else return false;
    return true;
  };
  return { listId, shown, selected, pick, onKey, setClosed };
}
