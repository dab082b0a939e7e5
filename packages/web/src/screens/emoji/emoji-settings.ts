import { createStore, type StoreApi } from "zustand/vanilla";
import { emojiSettingsFor } from "../../device/device-storage.js";
import { type EmojiSettings, type EmojiUse, usesMax } from "../../device/schemas.js";

/** Time after which a use counts half as much. */
const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
/** The emoji that a user without used ones gets. */
const usual = ["👍🏻", "❤️", "😂", "🎉", "😮", "🙏🏻"];

const stores = new Map<string, StoreApi<EmojiSettings>>();

/** The settings of an account, which follow the other pages of the browser. */
export function emojiSettingsOf(userId: string): StoreApi<EmojiSettings> {
  const known = stores.get(userId);
  if (known !== undefined) return known;
  const kept = emojiSettingsFor(userId);
  const store = createStore<EmojiSettings>(kept.read);
  kept.follow(() => store.setState(kept.read()));
  stores.set(userId, store);
  return store;
}

/** Changes the settings, which another page of the browser may have changed since this one read them. */
export function changeEmojiSettings(userId: string, change: (settings: EmojiSettings) => EmojiSettings): void {
  const kept = emojiSettingsFor(userId);
  const changed = change(kept.read());
  kept.write(changed);
  emojiSettingsOf(userId).setState(changed);
}

/** Counts a use, and forgets the least used ones beyond the number that is kept. */
export function withUse(uses: readonly EmojiUse[], sign: string, now: number): EmojiUse[] {
  const scoreNow = ({ score, at }: EmojiUse) => score * 0.5 ** (Math.max(0, now - at) / halfLifeMs);
  const others = uses.filter((use) => use.sign !== sign).slice(0, usesMax - 1);
  const before = uses.find((use) => use.sign === sign);
  const used = { sign, score: 1 + (before === undefined ? 0 : scoreNow(before)), at: now };
  // The sort is stable: the last used of equals comes first.
  return [used, ...others].toSorted((a, b) => scoreNow(b) - scoreNow(a));
}

/** The emoji that one wants at hand: the most used ones of those that can be used, then usual ones. */
export function atHand(uses: readonly EmojiUse[], count: number, canUse: (sign: string) => boolean): string[] {
  const used = uses.map(({ sign }) => sign).filter(canUse);
  return [...new Set([...used, ...usual])].slice(0, count);
}
