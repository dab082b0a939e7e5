import { cleanText } from "../clean-text.js";
import { mattermostEmoji, replaceEmojiNames } from "../emoji-names.js";
import type { FormText, TextPart } from "../form-parts.js";
import { insideParts, outsideCode, replaced } from "../text-parts.js";

/** The names of one team. */
export interface MattermostNames {
  isPerson(username: string): boolean;
  /** The external id of the team's channel of this name. */
  channel(name: string): string | undefined;
  /** The external id of the own emoji of this name that has a picture. */
  emoji(name: string): string | undefined;
}

/** Longer runs are no name; their ends are looked at sign by sign. */
const mention = /(?<![\p{L}\p{N}_.@/-])@([a-z0-9][a-z0-9._-]{0,127})/giu;
const channelName = /(?<![\p{L}\p{N}_~])~([a-z0-9][a-z0-9._-]{0,127})/giu;
const everyone: ReadonlyMap<string, "everyone" | "here"> = new Map([
  ["channel", "everyone"],
  ["all", "everyone"],
  ["here", "here"],
]);

/** Mattermost's Markdown is ours; its names are others. */
export function mattermostText(message: string, names: MattermostNames): FormText {
  return outsideCode(cleanText(message), (plain) => {
    const mentions = replaced(plain, mention, ([, run = ""]) =>
      longest(run, (name): TextPart | undefined => {
        const all = everyone.get(name);
        if (all !== undefined) return { everyone: all };
        return names.isPerson(name) ? { person: name } : undefined;
      }),
    );
    const channels = insideParts(mentions, (words) =>
      replaced(words, channelName, ([, run = ""]) =>
        longest(run, (name): TextPart | undefined => {
          const channel = names.channel(name);
          return channel === undefined ? undefined : { channel };
        }),
      ),
    );
    return insideParts(channels, (words) => replaceEmojiNames(words, (name) => emojiPart(name, names)));
  });
}

function emojiPart(name: string, names: MattermostNames): TextPart | null {
  const unicode = mattermostEmoji(name);
  const own = unicode === null ? names.emoji(name) : undefined;
  return own === undefined ? unicode : { emoji: own };
}

/** Names may end in dots and hyphens; those of a sentence do not belong to the name. */
function longest(run: string, part: (name: string) => TextPart | undefined): TextPart[] | null {
  const lower = run.toLowerCase();
  for (let end = run.length; ; ) {
    const found = part(lower.slice(0, end));
    if (found !== undefined) return [found, run.slice(end)];
    const shorter = lower.slice(0, end).replace(/[._-]$/, "");
    if (shorter.length === end) return null;
    end = shorter.length;
  }
}
