import { createStore, type StoreApi } from "zustand/vanilla";
import { onOtherTab } from "../../ui/other-tab.js";
import { type Tone, tones } from "./emoji-set.js";

/** How often and how recently an emoji was used. */
export interface EmojiUse {
  /** The sign of an emoji, as in `Emoji.sign`. */
  readonly sign: string;
  /** Uses until `at`, each of which counts half as much after {@link halfLifeMs}. */
  readonly score: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a person chose of emoji; kept on this device for each account. */
export interface EmojiSettings {
  readonly tone: Tone;
  /** The most used one first. */
  readonly uses: readonly EmojiUse[];
}

const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
const usesMax = 60;
/** What is offered to somebody who has used no emoji yet. */
const usual = ["👍🏻", "❤️", "😂", "🎉", "😮", "🙏🏻"];

const stores = new Map<string, StoreApi<EmojiSettings>>();

/** The settings of an account, which follow the other pages of the browser. */
export function emojiSettingsOf(userId: string): StoreApi<EmojiSettings> {
  const known = stores.get(userId);
  if (known !== undefined) return known;
  const key = keyOf(userId);
  const store = createStore<EmojiSettings>(() => readEmojiSettings(localStorage.getItem(key)));
  onOtherTab(key, () => store.setState(readEmojiSettings(localStorage.getItem(key))));
  stores.set(userId, store);
  return store;
}

/** Changes what another page of the browser may have changed since this one read it. */
export function changeEmojiSettings(userId: string, change: (settings: EmojiSettings) => EmojiSettings): void {
  const key = keyOf(userId);
  const changed = change(readEmojiSettings(localStorage.getItem(key)));
  localStorage.setItem(key, JSON.stringify(changed));
  emojiSettingsOf(userId).setState(changed);
}

const keyOf = (userId: string) => `parley.emoji.${userId}`;

/** Counts a use, and forgets the least used ones beyond the number that is kept. */
export function withUse(uses: readonly EmojiUse[], sign: string, now: number): EmojiUse[] {
  const scoreNow = ({ score, at }: EmojiUse) => score * 0.5 ** (Math.max(0, now - at) / halfLifeMs);
  const others = uses.filter((use) => use.sign !== sign).slice(0, usesMax - 1);
  const before = uses.find((use) => use.sign === sign);
  const used = { sign, score: 1 + (before === undefined ? 0 : scoreNow(before)), at: now };
  // Of equals, the one that was used last.
  return [used, ...others].toSorted((a, b) => scoreNow(b) - scoreNow(a));
}

/** The emoji that one wants at hand: the most used ones of those that can be used, then usual ones. */
export function atHand(uses: readonly EmojiUse[], count: number, canUse: (sign: string) => boolean): string[] {
  const used = uses.map(({ sign }) => sign).filter(canUse);
  return [...new Set([...used, ...usual])].slice(0, count);
}

/** Reads kept settings; what is missing or of another type is as for somebody who has chosen nothing. */
export function readEmojiSettings(kept: string | null): EmojiSettings {
  const found = parse(kept);
  return {
    tone: tones.find((tone) => tone === found.tone) ?? "",
    uses: (Array.isArray(found.uses) ? found.uses : []).filter(isUse).slice(0, usesMax),
  };
}

function parse(kept: string | null): Partial<Record<keyof EmojiSettings, unknown>> {
  try {
    const found: unknown = JSON.parse(kept ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

function isUse(value: unknown): value is EmojiUse {
  if (typeof value !== "object" || value === null) return false;
  const found: Partial<Record<keyof EmojiUse, unknown>> = value;
  return typeof found.sign === "string" && typeof found.score === "number" && typeof found.at === "number";
}
