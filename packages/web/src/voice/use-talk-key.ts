import { useEffect } from "react";
import type { Call } from "./call.js";
import { useVoiceSettings } from "./use-voice-settings.js";

/** With push to talk, opens the microphone while the user presses the chosen key anywhere in the page. */
export function useTalkKey(call: Call | null): void {
  const [{ isPushToTalk, talkKey }] = useVoiceSettings();
  useEffect(() => {
    if (call === null || !isPushToTalk) return;
    const onDown = (event: KeyboardEvent) => {
      if (event.code !== talkKey || isWriting(event)) return;
      event.preventDefault();
      if (!event.repeat) call.talk(true);
    };
    const onUp = (event: KeyboardEvent) => {
      if (event.code === talkKey) call.talk(false);
    };
    // The page gets no event when the key is released over another window.
    const release = () => call.talk(false);
    window.addEventListener("keydown", onDown);
    window.addEventListener("keyup", onUp);
    window.addEventListener("blur", release);
    return () => {
      window.removeEventListener("keydown", onDown);
      window.removeEventListener("keyup", onUp);
      window.removeEventListener("blur", release);
      release();
    };
  }, [call, isPushToTalk, talkKey]);
}

/** Whether a key writes a letter into a field. */
function isWriting({ key, target }: KeyboardEvent): boolean {
  return key.length === 1 && target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}
