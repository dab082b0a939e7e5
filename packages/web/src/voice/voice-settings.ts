import { createStore, type StoreApi } from "zustand/vanilla";
import { voiceSettingsFor } from "../device/device-storage.js";
import type { VoiceSettings } from "../device/schemas.js";

const stores = new Map<string, StoreApi<VoiceSettings>>();

/** The settings of an account. Changes to the store are kept for the next visit. */
export function voiceSettingsOf(userId: string): StoreApi<VoiceSettings> {
  const known = stores.get(userId);
  if (known !== undefined) return known;
  const kept = voiceSettingsFor(userId);
  const store = createStore<VoiceSettings>(kept.read);
  store.subscribe(kept.write);
  stores.set(userId, store);
  return store;
}
