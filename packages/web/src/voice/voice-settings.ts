import { createStore, type StoreApi } from "zustand/vanilla";

/** How loud one participant is for oneself. */
export interface PersonSound {
  /** Percent, 0 to 100. */
  readonly volume: number;
  readonly isMuted: boolean;
}

/** What a person chose for calls; kept on this device for each account. */
export interface VoiceSettings {
  /** Ids of devices; "" for the one that the system prefers. */
  readonly microphoneId: string;
  readonly cameraId: string;
  readonly outputId: string;
  readonly noiseSuppression: boolean;
  readonly echoCancellation: boolean;
  readonly autoGainControl: boolean;
  /** Of everybody together: percent, 0 to 100. */
  readonly volume: number;
  /** By user; those without an entry are as loud as they are. */
  readonly people: Readonly<Record<string, PersonSound>>;
  /** The microphone is open only while the key, or the button, is held. */
  readonly isPushToTalk: boolean;
  /** `KeyboardEvent.code` of the key. */
  readonly talkKey: string;
}

/** A participant whose sound was not changed. */
export const usualSound: PersonSound = { volume: 100, isMuted: false };

const defaults: VoiceSettings = {
  microphoneId: "",
  cameraId: "",
  outputId: "",
  noiseSuppression: true,
  echoCancellation: true,
  autoGainControl: true,
  volume: 100,
  people: {},
  isPushToTalk: false,
  // Writes nothing, so it can be held while a message is written.
  talkKey: "F8",
};

const stores = new Map<string, StoreApi<VoiceSettings>>();

/** The settings of an account. Changes to the store are kept for the next visit. */
export function voiceSettingsOf(userId: string): StoreApi<VoiceSettings> {
  const known = stores.get(userId);
  if (known !== undefined) return known;
  const key = `parley.voice.${userId}`;
  const store = createStore<VoiceSettings>(() => readVoiceSettings(localStorage.getItem(key)));
  store.subscribe((settings) => localStorage.setItem(key, JSON.stringify(settings)));
  stores.set(userId, store);
  return store;
}

/** Reads kept settings; whatever is missing or of another type is as for somebody who has chosen nothing. */
export function readVoiceSettings(kept: string | null): VoiceSettings {
  const found = parse(kept);
  const text = (name: keyof VoiceSettings, usual: string) => (typeof found[name] === "string" ? found[name] : usual);
  const flag = (name: keyof VoiceSettings, usual: boolean) => (typeof found[name] === "boolean" ? found[name] : usual);
  return {
    microphoneId: text("microphoneId", defaults.microphoneId),
    cameraId: text("cameraId", defaults.cameraId),
    outputId: text("outputId", defaults.outputId),
    noiseSuppression: flag("noiseSuppression", defaults.noiseSuppression),
    echoCancellation: flag("echoCancellation", defaults.echoCancellation),
    autoGainControl: flag("autoGainControl", defaults.autoGainControl),
    volume: percent(found.volume),
    people: people(found.people),
    isPushToTalk: flag("isPushToTalk", defaults.isPushToTalk),
    talkKey: text("talkKey", defaults.talkKey),
  };
}

function parse(kept: string | null): Partial<Record<keyof VoiceSettings, unknown>> {
  try {
    const found: unknown = JSON.parse(kept ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

const percent = (value: unknown): number =>
  typeof value === "number" && value >= 0 && value <= 100 ? value : usualSound.volume;

function people(value: unknown): Record<string, PersonSound> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).map(([userId, sound]: [string, unknown]) => {
    const found: Partial<Record<keyof PersonSound, unknown>> = typeof sound === "object" && sound !== null ? sound : {};
    return [userId, { volume: percent(found.volume), isMuted: found.isMuted === true }] as const;
  });
  return Object.fromEntries(entries);
}
