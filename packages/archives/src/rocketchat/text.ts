import { cleanText } from "../clean-text.js";
import { replaceEmojiNames, rocketchatEmoji } from "../emoji-names.js";
import type { FormText, TextPart } from "../form-parts.js";
import { lineEscaper } from "../line-marks.js";
import { boldAndStruck } from "../posts/slack-markup.js";
import { insideParts, outsideCode, replaceNames, throughParts } from "../text-parts.js";

/** What the text of a message names. */
export interface MessageNames {
  /** By the account names that stand behind `@`. */
  people: ReadonlyMap<string, TextPart>;
  /** By the names that stand behind `#`. */
  channels: ReadonlyMap<string, TextPart>;
  /** The external id of the own emoji of this name. */
  emoji(name: string): string | undefined;
}

/** Rocket.Chat has four headings, no lines across, and lists of two signs and of points. */
const escaped = lineEscaper({ headings: "#{5,6}", bullets: "\\+", points: "\\)" });

const link = /<(https?:\/\/[^<>|\s]+)\|([^<>\n]+)>/g;

/** Rocket.Chat's Markdown, which is nearly ours; `md` has the same once more. */
export function rocketchatText(msg: string, names: MessageNames): FormText {
  return outsideCode(cleanText(msg), (plain) => {
    const links = escaped(plain).replace(link, (_, address: string, label: string) => `[${label}](${address})`);
    const people = replaceNames(links, "@", names.people);
    const channels = insideParts(people, (words) => replaceNames(words, "#", names.channels));
    const emoji = insideParts(channels, (words) => replaceEmojiNames(words, (name) => emojiPart(name, names)));
    return throughParts(emoji, boldAndStruck);
  });
}

function emojiPart(name: string, names: MessageNames): TextPart | null {
  const own = names.emoji(name);
  return own === undefined ? rocketchatEmoji(name) : { emoji: own };
}
