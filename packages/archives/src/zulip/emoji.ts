import { emojiOfCode, type NamedEmoji, named } from "../emoji-names.js";
import type { ReactionKind } from "./reactions.js";

/** Names that Zulip gives to other emoji than the lists do, or alone. */
const zulipNames = {
  big_smile: "😄",
  check: "✅",
  check_mark: "✔️",
  laughter_tears: "😂",
  slight_smile: "🙂",
  smile: "🙂",
  thumbs_down: "👎",
  thumbs_up: "👍",
  time_ticking: "⏳",
  working_on_it: "🛠️",
};

/** Zulip's names have no skin tones. */
const listed: NamedEmoji = named(["iamcal", "github", "joypixels", "emojibase"], zulipNames, () => null);

const rendered = /class="emoji emoji-([0-9a-f-]+)"[^>]*>:([^:<\s]+):</g;

/**
 * Makes an emoji of a name: by the message's own rendering, else by the reactions of the archive, which have names and codes,
 * else by lists.
 */
export function zulipEmoji(reactions: Iterable<ReactionKind>): (renderedContent: string | null) => NamedEmoji {
  const reacted = new Map<string, string>();
  for (const { name, code } of reactions) {
    const emoji = emojiOfCode(code);
    if (emoji !== null) reacted.set(name, emoji);
  }
  return (renderedContent) => {
    const own = new Map<string, string>();
    for (const [, code = "", name = ""] of (renderedContent ?? "").matchAll(rendered)) {
      const emoji = emojiOfCode(code);
      if (emoji !== null) own.set(name, emoji);
    }
    return (name) => own.get(name) ?? reacted.get(name) ?? listed(name);
  };
}
