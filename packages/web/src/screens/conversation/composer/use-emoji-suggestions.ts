import { useEffect, useMemo, useState } from "react";
import { useLanguage } from "../../../ui/look/use-language.js";
import { pickedOf, useCustomEmojis } from "../../emoji/custom-emojis.js";
import { findEmojis } from "../../emoji/emoji-search.js";
import type { UnicodeEmoji } from "../../emoji/emoji-set.js";
import { loadEmojis } from "../../emoji/load-emojis.js";
import { useEmojiSettings } from "../../emoji/use-emoji-settings.js";
import { useConversation } from "../context.js";
import type { Suggestion } from "./completion.js";

const shownMax = 8;

/** Emoji of the server and of Unicode for a begun name; null where none is begun. */
export function useEmojiSuggestions(letters: string | null): Suggestion[] {
  const { serverId } = useConversation();
  const custom = useCustomEmojis(serverId);
  const emojis = useEmojis(letters);
  const { tone, uses } = useEmojiSettings();
  return useMemo(() => {
    if (letters === null) return [];
    const recent = uses.map(({ sign }) => sign);
    return findEmojis([...custom, ...emojis], letters, recent, shownMax).map((emoji) => {
      const { sign, name, shortcodes, imageUrl } = emoji;
      const { text } = pickedOf(emoji, tone);
      const common = { key: sign, inserted: text, emoji: sign };
      return imageUrl === null
        ? { ...common, label: `${text} :${shortcodes[0] ?? ""}:`, note: name }
        : { ...common, label: name, imageUrl };
    });
  }, [letters, custom, emojis, tone, uses]);
}

const none: readonly UnicodeEmoji[] = [];

/** The emoji of Unicode, which are loaded when the first name is begun; none before that. */
function useEmojis(letters: string | null): readonly UnicodeEmoji[] {
  const language = useLanguage();
  const [loaded, setLoaded] = useState({ language, emojis: none });
  const isMissing = letters !== null && (loaded.emojis === none || loaded.language !== language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what could not be loaded is tried again with the next letter.
  useEffect(() => {
    if (!isMissing) return;
    let isWanted = true;
    const show = (emojis: readonly UnicodeEmoji[]) => isWanted && setLoaded({ language, emojis });
    loadEmojis(language).then(show, () => undefined);
    return () => {
      isWanted = false;
    };
  }, [isMissing, language, letters]);
  return loaded.emojis;
}
