import { Mic } from "lucide-react";
import type { KeyboardEvent } from "react";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/look/button.js";
import { useMedia } from "../../ui/look/use-media.js";
import type { Call } from "../../voice/call.js";
import { useCallState } from "../../voice/use-call.js";
import { useVoiceSettings } from "../../voice/use-voice-settings.js";
import styles from "./call-panel.module.css";
import { keyName } from "./key-name.js";

/**
 * With push to talk, the button that opens the microphone while it is pressed: by pointer, finger, or with Space or
 * Enter.
 */
export function TalkButton({ call }: { call: Call }) {
  const labels = texts.voice;
  const [{ isPushToTalk, talkKey }] = useVoiceSettings();
  const isTalking = useCallState(call, (state) => state.isTalking);
  const isTouch = useMedia("(pointer: coarse)");
  if (!isPushToTalk) return null;
  const press = () => call.talk(true);
  const release = () => call.talk(false);
  const onKey = (event: KeyboardEvent, isTalkingNow: boolean) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) call.talk(isTalkingNow);
  };
  return (
    <Button
      kind={isTalking ? "primary" : "quiet"}
      className={styles.talk}
      aria-pressed={isTalking}
      onPointerDown={(event) => {
        // The finger may slide off it.
        event.currentTarget.setPointerCapture(event.pointerId);
        press();
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={(event) => onKey(event, true)}
      onKeyUp={(event) => onKey(event, false)}
      onBlur={release}
      // A long press would open the browser's menu.
      onContextMenu={(event) => event.preventDefault()}
    >
      <Mic size={16} aria-hidden />
      {isTouch ? labels.holdToTalk : labels.holdToTalkKey(keyName(talkKey))}
    </Button>
  );
}
