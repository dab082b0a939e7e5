import { replaceEmojiNames, slackEmoji } from "../emoji-names.js";
import type { FormText, TextPart } from "../form-parts.js";
import type { PostedEmbed } from "../posts/posted-message.js";
import { convertBlocks } from "../posts/slack-blocks.js";
import { slackPayload } from "../posts/slack-payload.js";
import { joinedParts } from "../text-parts.js";
import { literalText, richText } from "./rich-text.js";
import { type SlackNames, slackText } from "./text.js";

/** The blocks of a message that has no text, and the pictures among them: what programs send, and what people write. */
export function textOfBlocks(
  blocks: readonly Record<string, unknown>[],
  names: SlackNames,
): { text: FormText; pictures: PostedEmbed[] } {
  const pictures: PostedEmbed[] = [];
  // U+0000 is in no text, so that it marks where a converted one stands.
  const converted: FormText[] = [];
  const convert = (text: string, isPlain = false) =>
    text && `\0${converted.push(isPlain ? plainText(text) : slackText(text, names)) - 1}\0`;
  const lines = blocks.flatMap((block): FormText[] => {
    if (block.type === "rich_text") return [richText(block.elements, names)];
    const { data } = slackPayload.safeParse({ blocks: [block] });
    if (data === undefined) return [];
    const { text, images } = convertBlocks(data.blocks, convert);
    pictures.push(...images.map((url) => ({ image: { url } })));
    return [text.split("\0").flatMap((piece, at) => (at % 2 === 1 ? (converted[Number(piece)] ?? []) : [piece]))];
  });
  const shown = lines.map(joinedParts).filter((line) => line.length > 0);
  return { text: joinedParts(shown.flatMap((line, at): TextPart[] => (at === 0 ? line : ["\n", ...line]))), pictures };
}

const plainText = (text: string): FormText =>
  joinedParts(
    replaceEmojiNames(text, slackEmoji).flatMap((part) => (typeof part === "string" ? literalText(part) : part)),
  );
