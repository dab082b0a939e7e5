import type { VoiceState } from "@parley/client";
import { Volume2, VolumeX } from "lucide-react";
import { useState } from "react";
import { texts } from "../../texts/texts.js";
import { Checkbox, Slider } from "../../ui/forms/field.js";
import { IconButton } from "../../ui/look/button.js";
import { Popover } from "../../ui/overlays/popover.js";
import { usePersonSound } from "../../voice/use-voice-settings.js";
import styles from "./sound-button.module.css";
import { useVoiceName } from "./use-voice-name.js";

/** How loud a participant is for oneself, behind a button. */
export function SoundButton({ user, className }: { user: VoiceState; className: string | undefined }) {
  const labels = texts.voice;
  const [sound, change] = usePersonSound(user.user_id);
  const [isOpen, setOpen] = useState(false);
  const label = labels.soundOf(useVoiceName(user));
  return (
    <Popover
      trigger={
        <IconButton label={label} {...(className === undefined ? {} : { className })}>
          {sound.isMuted ? <VolumeX size={18} aria-hidden /> : <Volume2 size={18} aria-hidden />}
        </IconButton>
      }
      open={isOpen}
      onOpenChange={setOpen}
      label={label}
      className={styles.card}
      sideOffset={6}
    >
      <Slider
        label={label}
        value={sound.volume}
        disabled={sound.isMuted}
        onChange={(event) => change({ volume: event.currentTarget.valueAsNumber })}
      />
      <Checkbox
        label={labels.muteForMe}
        hint={labels.muteForMeHint}
        checked={sound.isMuted}
        onChange={(event) => change({ isMuted: event.currentTarget.checked })}
      />
    </Popover>
  );
}
