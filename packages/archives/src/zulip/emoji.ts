import { emojiOfCode, type NamedEmoji, named } from "../emoji-names.js";
import { emojiTable } from "./emoji-table.js";
import type { ReactionKind } from "./reactions.js";

/** The first emoji of a name counts. */
const ofTable: Readonly<Record<string, string>> = Object.fromEntries(
  emojiTable
    .trim()
    .split(/\s/)
    .flatMap((entry) => {
      const [emoji = "", names = ""] = entry.split(":");
      return names.split(",").map((name) => [name, emoji] as const);
    })
    .reverse(),
);

/** Zulip's names have no skin tones. The lists are for names that Zulip had before. */
const listed: NamedEmoji = named(["iamcal", "github", "joypixels", "emojibase"], ofTable, () => null);

const rendered = /class="emoji emoji-([0-9a-f-]+)"[^>]*>:([^:<\s]+):</g;

/**
 * Makes an emoji of a name: by the message's own rendering, else by the reactions of the archive, which have names and codes,
 * else by Zulip's table.
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
