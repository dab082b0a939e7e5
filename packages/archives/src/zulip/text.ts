import { cleanText } from "../clean-text.js";
import { type NamedEmoji, replaceEmojiNames } from "../emoji-names.js";
import type { FormText, TextPart } from "../form-parts.js";
import { insideParts, joinedParts, outsideCode, quoted, replaced } from "../text-parts.js";
import { isoMilliseconds, secondsToMilliseconds, shownTime } from "../times.js";

/** The names of one archive. */
export interface ZulipNames {
  isPerson(id: string): boolean;
  /** The external id of the only person of this full name. */
  personNamed(name: string): string | undefined;
  /** The external id of the channel of this name. */
  channelNamed(name: string): string | undefined;
  /** The external id of the own emoji of this name. */
  ownEmoji(name: string): string | undefined;
  emoji: NamedEmoji;
}

const maxDepth = 20;
const fence = /^ {0,3}(`{3,}|~{3,}) *\{?\.?([^\s`{}]*)\}? *([^`]*)$/;
/** Fences whose text is no code. */
const holding = new Set(["quote", "quoted", "spoiler"]);
const said = /(?<=\*\* )\[said\]\((?:https?:\/\/[^\s)]*|\/?#narrow[^\s)]*)\/near\/\d+\):/g;
const name =
  /@(?<silent>_?)\*\*(?<person>[^*\n|]*)(?:\|(?<id>\d{1,15}))?\*\*|@(?<quiet>_?)\*(?<group>[^*\n]+)\*|#\*\*(?<channel>[^*\n>]+)(?:>(?<topic>[^*\n]*?)(?:@\d{1,15})?)?\*\*|<time:(?<time>[^<>\n]{1,40})>/g;
const everyone = new Set(["all", "everyone", "channel", "stream"]);

/** Zulip's Markdown; the links of uploads are gone already. */
export const zulipText = (content: string, names: ZulipNames): FormText => blocks(cleanText(content), names, 0);

/** Fences of Zulip are quotes and spoilers, too, and one may have shorter ones in it. */
function blocks(text: string, names: ZulipNames, depth: number): FormText {
  const lines = text.split("\n");
  const parts: TextPart[] = [];
  const add = (block: readonly TextPart[], between = "\n") => {
    if (parts.length > 0) parts.push(between);
    parts.push(...block);
  };
  let plain: string[] = [];
  let wasQuote = false;
  const addPlain = () => {
    // A line that follows a quote would belong to it.
    if (plain.length > 0) add(inline(plain.join("\n"), names), wasQuote && plain[0]?.trim() !== "" ? "\n\n" : "\n");
    if (plain.length > 0) wasQuote = false;
    plain = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const [, marks, language = "", title = ""] = fence.exec(lines[at] ?? "") ?? [];
    const kind = language.toLowerCase();
    if (marks === undefined || depth === maxDepth) {
      plain.push(lines[at] ?? "");
      continue;
    }
    const isCode = !holding.has(kind);
    const end = isCode ? endOfCode(lines, at, marks) : endOfBlocks(lines, at, marks);
    const inner = lines.slice(at + 1, end).join("\n");
    addPlain();
    if (kind === "quote" || kind === "quoted") {
      add(quoted(blocks(inner, names, depth + 1)), wasQuote ? "\n\n" : "\n");
      wasQuote = true;
    } else {
      if (kind !== "spoiler") add([`${marks}${kind === "math" ? "" : language}\n${inner}\n${marks}`]);
      else add([...inline(title.trim() || "Spoiler", names), "\n||", ...blocks(inner, names, depth + 1), "||"]);
      wasQuote = false;
    }
    at = end;
  }
  addPlain();
  return joinedParts(parts);
}

function endOfCode(lines: readonly string[], begin: number, marks: string): number {
  let end = begin + 1;
  while (end < lines.length && lines[end]?.trim() !== marks) end += 1;
  return end;
}

/** Where a quote or spoiler ends: lines of it may open further fences, also with the same marks. */
function endOfBlocks(lines: readonly string[], begin: number, marks: string): number {
  const open = [{ marks, isCode: false }];
  for (let at = begin + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const inner = open.at(-1);
    if (line.trim() === inner?.marks) open.pop();
    else if (inner?.isCode !== true) {
      const [, opened, language = ""] = fence.exec(line) ?? [];
      if (opened !== undefined) open.push({ marks: opened, isCode: !holding.has(language.toLowerCase()) });
    }
    if (open.length === 0) return at;
  }
  return lines.length;
}

function inline(text: string, names: ZulipNames): FormText {
  return outsideCode(text, (plain) =>
    insideParts(
      replaced(plain.replace(said, "said:"), name, ({ groups = {} }) => partOf(groups, names)),
      (words) => replaceEmojiNames(words, (emoji) => emojiPart(emoji, names)),
    ),
  );
}

function partOf(groups: Record<string, string | undefined>, names: ZulipNames): TextPart | TextPart[] | null {
  const { silent, person = "", id, quiet, group, channel, topic, time } = groups;
  if (time !== undefined) {
    const at = /^\d{1,12}$/.test(time)
      ? secondsToMilliseconds(time)
      : isoMilliseconds(time.replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/, "$1:00"));
    return at === null ? null : shownTime(at);
  }
  if (group !== undefined) return quiet === "_" ? group : `@${group}`;
  if (channel !== undefined) {
    const found = names.channelNamed(channel);
    const shown: TextPart = found === undefined ? channel : { channel: found };
    return topic ? [shown, ` > ${topic}`] : shown;
  }
  const isSilent = silent === "_";
  if (id === undefined && everyone.has(person)) return isSilent ? person : { everyone: "everyone" };
  const found = id !== undefined && names.isPerson(id) ? id : names.personNamed(person);
  if (found === undefined) return isSilent ? person : `@${person}`;
  return isSilent ? { person: found, silent: true } : { person: found };
}

function emojiPart(emoji: string, names: ZulipNames): TextPart | null {
  const own = names.ownEmoji(emoji);
  return own === undefined ? names.emoji(emoji) : { emoji: own };
}
