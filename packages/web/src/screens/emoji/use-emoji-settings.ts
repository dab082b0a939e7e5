import { useCallback } from "react";
import { useStore } from "zustand";
import type { EmojiSettings, Tone } from "../../device/schemas.js";
import { useAppState } from "../../state/app/use-app.js";
import { changeEmojiSettings, emojiSettingsOf, withUse } from "./emoji-settings.js";

/** The emoji settings of the account that is logged in, and how they are changed. */
export function useEmojiSettings(): EmojiSettings & {
  setTone: (tone: Tone) => void;
  /** Counts a use of an emoji, named by its sign. */
  count: (sign: string) => void;
} {
  const userId = useAppState((state) => state.me?.id ?? "");
  const settings = useStore(emojiSettingsOf(userId));
  const setTone = useCallback((tone: Tone) => changeEmojiSettings(userId, (kept) => ({ ...kept, tone })), [userId]);
  const count = useCallback(
    (sign: string) => changeEmojiSettings(userId, (kept) => ({ ...kept, uses: withUse(kept.uses, sign, Date.now()) })),
    [userId],
  );
  return { ...settings, setTone, count };
}
