import { useRef, useState } from "react";
import { keepDraft, readDraft } from "../../state/drafts.js";
import { usePage } from "../../state/use-page.js";
import { useConversation } from "./context.js";

const typingEveryMs = 3_000;

/** The text that is being written, stored as a draft, and its caret. In a channel, the others see that the user types. */
export function useDraft(threadId: string | undefined) {
  const { gateway } = usePage();
  const { place } = useConversation();
  const key = threadId ?? place.id;
  const [text, setText] = useState(() => readDraft(key));
  const [caret, setCaret] = useState(text.length);
  const typedAt = useRef(0);
  const change = (next: string, nextCaret: number) => {
    setText(next);
    setCaret(nextCaret);
    keepDraft(key, next);
    if (next === "" || Date.now() - typedAt.current < typingEveryMs || threadId !== undefined) return;
    typedAt.current = Date.now();
    gateway.startTyping(place.id);
  };
  const clear = () => {
    change("", 0);
    typedAt.current = 0;
  };
  return { text, caret, setCaret, change, clear };
}
