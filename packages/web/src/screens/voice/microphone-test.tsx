import { useEffect, useState } from "react";
import type { VoiceSettings } from "../../device/schemas.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { Button } from "../../ui/look/button.js";
import { measureLevel } from "../../voice/levels.js";
import { openMicrophone } from "../../voice/media.js";
import { useVoiceSettings } from "../../voice/use-voice-settings.js";
import styles from "./microphone-test.module.css";

/** Shows how loud the chosen microphone is. `onOpen` is called once the browser allowed it. */
export function MicrophoneTest({ onOpen }: { onOpen: () => void }) {
  const labels = texts.voice.settings;
  const [isOn, setOn] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const level = useLevel(isOn, onOpen, (failure) => {
    setOn(false);
    setError(errorText(failure));
  });
  return (
    <div className={styles.test}>
      <Button
        kind="quiet"
        onClick={() => {
          setError(null);
          setOn(!isOn);
        }}
      >
        {isOn ? labels.stopTest : labels.test}
      </Button>
      {isOn ? (
        <>
          <meter className={styles.level} aria-label={labels.level} min={0} max={100} value={level} />
          <p className={styles.hint}>{labels.testHint}</p>
        </>
      ) : null}
      <ErrorNote error={error} />
    </div>
  );
}

const shownEveryMs = 80;
/** The quietest sound that moves the bar, in decibels below the loudest. */
const rangeDecibels = 60;

/** The level of the microphone while it is tested: percent. */
function useLevel(isOn: boolean, onOpen: () => void, onError: (error: unknown) => void): number {
  const [settings] = useVoiceSettings();
  const [level, setLevel] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens the microphone anew for another microphone, not for another function.
  useEffect(() => {
    if (!isOn) return;
    const test = startTest(settings, { onOpen, onError, onLevel: setLevel });
    return () => test.stop();
  }, [isOn, settings.microphoneId, settings.noiseSuppression, settings.echoCancellation, settings.autoGainControl]);
  return level;
}

function startTest(
  settings: VoiceSettings,
  on: { onOpen: () => void; onError: (error: unknown) => void; onLevel: (percent: number) => void },
): { stop: () => void } {
  let end: (() => void) | null = null;
  let isStopped = false;
  openMicrophone(settings).then((track) => {
    if (isStopped) return track.stop();
    on.onOpen();
    const context = new AudioContext();
    const meter = measureLevel(context, track);
    const timer = setInterval(() => on.onLevel(percentOf(meter.level())), shownEveryMs);
    end = () => {
      clearInterval(timer);
      meter.close();
      track.stop();
      void context.close();
    };
  }, on.onError);
  return {
    stop() {
      isStopped = true;
      end?.();
    },
  };
}

/** Ears hear loudness by its logarithm. */
const percentOf = (level: number): number =>
  Math.min(100, Math.max(0, ((20 * Math.log10(level) + rangeDecibels) / rangeDecibels) * 100));
