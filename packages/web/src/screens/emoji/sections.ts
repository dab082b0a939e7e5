import { useMemo } from "react";
import type { EmojiUse } from "../../device/schemas.js";
import { useCustomEmojis } from "./custom-emojis.js";
import { findEmojis } from "./emoji-search.js";
import { type Emoji, type EmojiGroupId, emojiGroups, type UnicodeEmoji } from "./emoji-set.js";

/** The parts of the picker; `found` is shown alone. */
export type SectionId = "recent" | "custom" | EmojiGroupId | "found";

export interface Section {
  readonly id: SectionId;
  readonly emojis: readonly Emoji[];
}

/** A row of the picker. */
export type Row =
  | { readonly kind: "title"; readonly section: SectionId }
  | { readonly kind: "emojis"; readonly section: SectionId; readonly emojis: readonly Emoji[] };

const recentMax = 24;

/**
 * The sections of the picker: the results of a search, or all emoji by subject, after the recently used and the
 * server's own.
 */
export function useSections(
  serverId: string | null,
  emojis: readonly UnicodeEmoji[],
  uses: readonly EmojiUse[],
  search: string,
): readonly Section[] {
  const custom = useCustomEmojis(serverId);
  return useMemo(() => {
    if (search.trim() !== "") {
      const recent = uses.map(({ sign }) => sign);
      return filled([{ id: "found", emojis: findEmojis([...custom, ...emojis], search, recent) }]);
    }
    const known = new Map([...custom, ...emojis].map((emoji) => [emoji.sign, emoji]));
    return filled([
      { id: "recent", emojis: uses.flatMap(({ sign }) => known.get(sign) ?? []).slice(0, recentMax) },
      { id: "custom", emojis: custom },
      ...emojiGroups.map((id) => ({ id, emojis: emojis.filter(({ group }) => group === id) })),
    ]);
  }, [custom, emojis, uses, search]);
}

const filled = (sections: readonly Section[]) => sections.filter(({ emojis }) => emojis.length > 0);

/** The rows of sections, each with a title except the results of a search. */
export function rowsOf(sections: readonly Section[], columns: number): Row[] {
  return sections.flatMap(({ id, emojis }) => {
    const rows: Row[] = id === "found" ? [] : [{ kind: "title", section: id }];
    for (let start = 0; start < emojis.length; start += columns) {
      rows.push({ kind: "emojis", section: id, emojis: emojis.slice(start, start + columns) });
    }
    return rows;
  });
}
