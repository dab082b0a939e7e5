import { useEffect, useState } from "react";
import type { VoiceSettings } from "../../device/schemas.js";
import { texts } from "../../texts/texts.js";
import { Checkbox, Choice, Slider } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { type Devices, useDevices } from "../../voice/use-devices.js";
import { useVoiceSettings } from "../../voice/use-voice-settings.js";
import { keyName } from "./key-name.js";
import { MicrophoneTest } from "./microphone-test.js";

/** Settings of calls: devices, sound and push to talk. They hold at once, in a running call too. */
export function VoiceSection() {
  const labels = texts.voice.settings;
  const [settings, change] = useVoiceSettings();
  const { devices, read } = useDevices();
  const flag = (name: "noiseSuppression" | "echoCancellation" | "autoGainControl") => ({
    label: labels[name],
    checked: settings[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ [name]: currentTarget.checked }),
  });
  return (
    <>
      <Panel title={labels.devices}>
        <DeviceChoices devices={devices} settings={settings} change={change} />
        <Slider
          label={labels.volume}
          value={settings.volume}
          onChange={(event) => change({ volume: event.currentTarget.valueAsNumber })}
        />
        <MicrophoneTest onOpen={read} />
      </Panel>
      <Panel title={labels.sound}>
        <Checkbox {...flag("noiseSuppression")} />
        <Checkbox {...flag("echoCancellation")} hint={labels.echoHint} />
        <Checkbox {...flag("autoGainControl")} />
      </Panel>
      <Panel title={labels.talking}>
        <Checkbox
          label={labels.pushToTalk}
          hint={labels.pushToTalkHint}
          checked={settings.isPushToTalk}
          onChange={(event) => change({ isPushToTalk: event.currentTarget.checked })}
        />
        {settings.isPushToTalk ? <TalkKey code={settings.talkKey} onChange={(talkKey) => change({ talkKey })} /> : null}
      </Panel>
    </>
  );
}

const choices = [
  { kind: "audioinput", setting: "microphoneId", name: "microphone" },
  { kind: "videoinput", setting: "cameraId", name: "camera" },
  { kind: "audiooutput", setting: "outputId", name: "output" },
] as const;

/** A choice for each kind of device; of outputs where the browser can switch them. */
function DeviceChoices({
  devices,
  settings,
  change,
}: {
  devices: Devices;
  settings: VoiceSettings;
  change: (change: Partial<VoiceSettings>) => void;
}) {
  const labels = texts.voice.settings;
  const offered = choices.filter(({ kind }) => kind !== "audiooutput" || "setSinkId" in HTMLMediaElement.prototype);
  const areUnnamed = devices.audioinput.every(({ label }) => label === "");
  return (
    <>
      {offered.map(({ kind, setting, name }) => (
        <Choice
          key={kind}
          label={labels[name]}
          value={devices[kind].some(({ deviceId }) => deviceId === settings[setting]) ? settings[setting] : ""}
          onChange={(event) => change({ [setting]: event.currentTarget.value })}
        >
          <option value="">{labels.systemDefault}</option>
          {devices[kind].map(({ deviceId, label }, index) => (
            <option key={deviceId} value={deviceId}>
              {label === "" ? labels.unnamed(labels[name], index + 1) : label}
            </option>
          ))}
        </Choice>
      ))}
      {areUnnamed ? <p>{labels.noNames}</p> : null}
    </>
  );
}

/** Keys that lead through the page, or that only change others. */
const unfitKeys = new Set(["Tab", "Escape", "Enter", "Space"]);

/** The key of push to talk; the next one that is pressed replaces it, and Escape keeps it. */
function TalkKey({ code, onChange }: { code: string; onChange: (code: string) => void }) {
  const labels = texts.voice.settings;
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const take = (event: KeyboardEvent) => {
      event.preventDefault();
      // On its way down, before the dialog around the settings, which Escape would close.
      event.stopPropagation();
      setWaiting(false);
      if (!unfitKeys.has(event.code)) onChange(event.code);
    };
    window.addEventListener("keydown", take, { capture: true });
    return () => window.removeEventListener("keydown", take, { capture: true });
  }, [isWaiting, onChange]);
  return (
    <Button
      kind="quiet"
      aria-label={isWaiting ? labels.pressKey : `${labels.key(keyName(code))}. ${labels.changeKey}`}
      onClick={() => setWaiting(true)}
      onBlur={() => setWaiting(false)}
    >
      {isWaiting ? labels.pressKey : labels.key(keyName(code))}
    </Button>
  );
}
