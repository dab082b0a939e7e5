import { useEffect, useMemo, useRef, useState } from "react";
import { draft, mentionsOfDraft } from "../../../device/device-storage.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { type ChosenMention, nameInText, withUsernames } from "../../../state/sending/chosen-mentions.js";
import { useConversation } from "../context.js";

/** The gateway takes one TYPING_START of a user in a channel every 3 s; a little later than that, it takes the next one. */
const typingEveryMs = 3_200;

/**
 * The text that is being written, stored as a draft, and its caret. In a channel, the others see that the user types. The
 * text has the names of chosen members that readers see; `sent` has their usernames.
 */
export function useDraft(threadId: string | undefined) {
  const { place, replyTo, reply } = useConversation();
  const { drafts } = useApp();
  const key = threadId ?? place.id;
  const [text, setText] = useState(() => draft(key).read());
  // Changed in place: the next key may be pressed before anything is rendered.
  const [mentions] = useState(() => mentionsOfDraft(key).read());
  const [caret, setCaret] = useState(text.length);
  const typing = useTyping(threadId === undefined ? place.id : null);
  const change = (next: string, nextCaret: number) => {
    setText(next);
    setCaret(nextCaret);
    if (next === "") mentions.clear();
    draft(key).write(next);
    mentionsOfDraft(key).write(mentions);
    drafts.changed(
      { channelId: place.id, threadId: threadId ?? null },
      withUsernames(next, mentions),
      next === "" ? null : replyTo,
    );
    if (next === "") typing.stop();
    else typing.start();
  };
  useWrittenElsewhere(key, (content, answered) => {
    mentions.clear();
    setText(content);
    setCaret(content.length);
    reply(answered);
  });
  const clear = () => change("", 0);
  /** @returns the name that the text has for somebody from now on */
  const choose = (mention: ChosenMention): string => {
    const name = nameInText(mention, mentions);
    if (name !== mention.username) mentions.set(name, mention.username);
    return name;
  };
  return { text, sent: withUsernames(text, mentions), caret, setCaret, change, clear, choose };
}

/** Calls `take` with a draft that another device or tab has changed since, once for each change. */
function useWrittenElsewhere(key: string, take: (content: string, replyTo: string | null) => void): void {
  const kept = useAppState(({ drafts }) => drafts[key]);
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    if (kept?.isOwn === false) latest.current(kept.content, kept.replyTo);
  }, [kept]);
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
