import { z } from "zod";
import { slackEmoji } from "../emoji-names.js";
import type { FormText, TextPart } from "../form-parts.js";
import { escapedLines } from "../line-marks.js";
import { insideParts, isBlankText, joinedParts, quoted } from "../text-parts.js";
import { shownTime } from "../times.js";
import { markdownLink, type SlackNames } from "./text.js";

const maxDepth = 8;
/** Spaces before an item of a list in another one. */
const indentation = 4;
const maxIndent = 8;

const text = z.string().optional().catch(undefined);
const element = z.looseObject({
  type: z.string(),
  text,
  url: text,
  name: text,
  user_id: text,
  channel_id: text,
  usergroup_id: text,
  range: text,
  fallback: text,
  value: text,
  timestamp: z.number().optional().catch(undefined),
  skin_tone: z.int().optional().catch(undefined),
  indent: z.int().min(0).max(maxIndent).catch(0),
  offset: z.int().min(0).catch(0),
  style: z.unknown().optional(),
  elements: z.array(z.unknown()).catch([]),
});
type Element = z.output<typeof element>;

/** Signs that would mark something in words that mark nothing; those in a word do not. */
const marks = /[*`~](?=\S)|(?<=\S)[*`~]|(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu;

/** Words without markup. */
export const literalText = (words: string): string => escapedLines(words.replace(marks, "\\$&"));

/** What people wrote in Slack's editor, as its elements say it. */
export function richText(elements: unknown, names: SlackNames): FormText {
  const blocks = elementsOf(elements).map((each) => blockOf(each, names, 0));
  return lines(blocks.filter((block) => !isBlankText(block)));
}

const elementsOf = (given: unknown): Element[] =>
  (Array.isArray(given) ? given : []).flatMap((each) => element.safeParse(each).data ?? []);

const lines = (parts: readonly FormText[]): FormText =>
  joinedParts(parts.flatMap((line, at): TextPart[] => (at === 0 ? line : ["\n", ...line])));

function blockOf(block: Element, names: SlackNames, depth: number): FormText {
  if (depth > maxDepth) return [];
  const { type, style, indent, offset } = block;
  const inside = elementsOf(block.elements);
  switch (type) {
    case "rich_text_list":
      return lines(
        inside.map((item, at) => {
          const bullet = style === "ordered" ? `${offset + at + 1}. ` : "• ";
          return joinedParts([" ".repeat(indentation * indent) + bullet, ...blockOf(item, names, depth + 1)]);
        }),
      );
    case "rich_text_quote":
      return quoted(trimmed(inline(inside, names)));
    case "rich_text_preformatted":
      return [`\`\`\`\n${inside.map(plainWords).join("").replace(/\n$/, "")}\n\`\`\``];
    default:
      return trimmed(inline(inside, names));
  }
}

/** Line ends behind a block are those between blocks. */
function trimmed(parts: FormText): FormText {
  const last = parts.at(-1);
  return typeof last === "string" ? joinedParts([...parts.slice(0, -1), last.replace(/\n+$/, "")]) : parts;
}

const plainWords = ({ text, url, name }: Element): string => text ?? url ?? (name === undefined ? "" : `:${name}:`);

const inline = (elements: readonly Element[], names: SlackNames): FormText =>
  joinedParts(elements.flatMap((each) => styled(inlinePart(each, names), each)));

function inlinePart(element: Element, names: SlackNames): TextPart[] {
  const { type, text, url, name, user_id: user, channel_id: channel, range, timestamp } = element;
  if (type === "text") return [text ?? ""];
  if (type === "link" && url !== undefined) return [text === undefined || text === url ? url : markdownLink(text, url)];
  if (type === "emoji" && name !== undefined) {
    const { skin_tone: tone } = element;
    return [slackEmoji(tone === undefined ? name : `${name}::skin-tone-${tone}`) ?? slackEmoji(name) ?? `:${name}:`];
  }
  if (type === "user" && user !== undefined) {
    names.person(user, undefined);
    return [{ person: user }];
  }
  if (type === "channel" && channel !== undefined) return [names.isChannel(channel) ? { channel } : `#${channel}`];
  if (type === "usergroup") return [`@${element.usergroup_id ?? ""}`];
  if (type === "broadcast") return [{ everyone: range === "here" ? "here" : "everyone" }];
  if (type === "date" && timestamp !== undefined) return [element.fallback ?? shownTime(timestamp * 1000)];
  return [element.fallback ?? text ?? element.value ?? url ?? ""];
}

const styleMarks = [
  ["bold", "**"],
  ["italic", "_"],
  ["strike", "~~"],
] as const;

/** The marks of a style stand at its words, line by line. */
function styled(parts: TextPart[], { type, style }: Element): TextPart[] {
  const is = (name: string) =>
    typeof style === "object" && style !== null && name in style && Boolean(Reflect.get(style, name));
  const isWords = type === "text";
  if (isWords && is("code")) return insideParts(parts, (words) => [words.replace(/[^\n]+/g, "`$&`")]);
  const escaped = isWords ? insideParts(parts, (words) => [literalText(words)]) : parts;
  const mark = styleMarks.filter(([name]) => is(name)).map(([, sign]) => sign);
  if (mark.length === 0) return escaped;
  const [open, close] = [mark.join(""), mark.toReversed().join("")];
  return escaped.flatMap((part): TextPart[] =>
    typeof part === "string" ? [part.replace(/\S(?:[^\n]*\S)?/g, `${open}$&${close}`)] : [open, part, close],
  );
}
