import { type RefObject, useEffect, useRef } from "react";
import { create } from "zustand";

interface FocusRequest {
  /** The message that is to be shown and to have the focus, once the list has it. */
  messageId: string | null;
  ask: (messageId: string | null) => void;
}

/** The message that is to get the focus next; a link alone shows a message and leaves the focus in its place. */
export const useFocusRequest = create<FocusRequest>((set) => ({
  messageId: null,
  ask: (messageId) => set({ messageId }),
}));

/** The element of a message, which gets the focus on request. */
export function useAskedFocus(messageId: string, isTarget: boolean): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  const isAsked = useFocusRequest((request) => isTarget && request.messageId === messageId);
  useEffect(() => {
    if (!isAsked) return;
    let frame = 0;
    // A row is hidden until the list has measured it, and takes no focus before.
    const focus = () => {
      element.current?.focus({ preventScroll: true });
      if (document.activeElement === element.current) useFocusRequest.getState().ask(null);
      else frame = requestAnimationFrame(focus);
    };
    focus();
    return () => cancelAnimationFrame(frame);
  }, [isAsked]);
  return element;
}
