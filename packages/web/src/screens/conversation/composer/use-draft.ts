import { useEffect, useMemo, useState } from "react";
import { keepDraft, readDraft } from "../../../state/drafts.js";
import { useApp } from "../../../state/use-app.js";
import { useConversation } from "../context.js";

/** The gateway takes one TYPING_START of a user in a channel every 3 s; a little later than that, it takes the next one. */
const typingEveryMs = 3_200;

/** The text that is being written, stored as a draft, and its caret. In a channel, the others see that the user types. */
export function useDraft(threadId: string | undefined) {
  const { place } = useConversation();
  const key = threadId ?? place.id;
  const [text, setText] = useState(() => readDraft(key));
  const [caret, setCaret] = useState(text.length);
  const typing = useTyping(threadId === undefined ? place.id : null);
  const change = (next: string, nextCaret: number) => {
    setText(next);
    setCaret(nextCaret);
    keepDraft(key, next);
    if (next === "") typing.stop();
    else typing.start();
  };
  const clear = () => change("", 0);
  return { text, caret, setCaret, change, clear };
}

/** Sends that the user types in a channel: at once, or after a message of theirs as soon as the gateway takes it again. */
function useTyping(channelId: string | null): { start: () => void; stop: () => void } {
  const { gateway } = useApp();
  const typing = useMemo(() => {
    let sentAt = Number.NEGATIVE_INFINITY;
    let isShown = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const send = () => {
      timer = undefined;
      if (channelId === null) return;
      sentAt = performance.now();
      isShown = true;
      gateway.startTyping(channelId);
    };
    return {
      start() {
        const restMs = sentAt + typingEveryMs - performance.now();
        if (restMs <= 0) send();
        else if (!isShown) timer ??= setTimeout(send, restMs);
      },
      stop() {
        clearTimeout(timer);
        timer = undefined;
        isShown = false;
      },
    };
  }, [gateway, channelId]);
  useEffect(() => () => typing.stop(), [typing]);
  return typing;
}
