import { useCallback } from "react";
import { useStore } from "zustand";
import { type PersonSound, usualSound, type VoiceSettings } from "../device/schemas.js";
import { useAppState } from "../state/app/use-app.js";
import { voiceSettingsOf } from "./voice-settings.js";

/** The voice settings of the account that is logged in, and how they are changed. */
export function useVoiceSettings(): [settings: VoiceSettings, change: (change: Partial<VoiceSettings>) => void] {
  const store = voiceSettingsOf(useAppState((state) => state.me?.id ?? ""));
  return [useStore(store), store.setState];
}

/** How loud one participant is for oneself, and how that is changed. */
export function usePersonSound(userId: string): [sound: PersonSound, change: (change: Partial<PersonSound>) => void] {
  const [{ people }, change] = useVoiceSettings();
  const sound = people[userId] ?? usualSound;
  return [
    sound,
    useCallback(
      (part) => change({ people: { ...people, [userId]: { ...sound, ...part } } }),
      [people, userId, sound, change],
    ),
  ];
}
