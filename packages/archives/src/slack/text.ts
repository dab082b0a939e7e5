import { cleanText } from "../clean-text.js";
import { replaceEmojiNames, slackEmoji } from "../emoji-names.js";
import type { FormText, TextPart } from "../form-parts.js";
import { escapedLines } from "../line-marks.js";
import { boldAndStruck, decodeSlack } from "../posts/slack-markup.js";
import { closedQuote, joinedParts, outsideCode } from "../text-parts.js";

/** The names of one archive. */
export interface SlackNames {
  /** Makes one of somebody whom no list names. */
  person(id: string, name: string | undefined): void;
  isChannel(id: string): boolean;
}

const bracketed = /<([^<>\n]+)>/g;
const openQuote = /^&gt;&gt;&gt; ?/gm;

/** The text of a message in Slack's markup. */
export function slackText(text: string, names: SlackNames): FormText {
  const quote = closedQuote(cleanText(text), openQuote, "&gt; ");
  return fenced(outsideCode(quote, (plain) => plainText(plain, names), codeText));
}

function plainText(plain: string, names: SlackNames): TextPart[] {
  // U+0000 is in no text, so that it marks where a name or link was.
  const found: TextPart[] = [];
  const bare = plain.replace(bracketed, (_, inner: string) => `\0${found.push(inside(inner, names)) - 1}\0`);
  const emoji = replaceEmojiNames(boldAndStruck(bare), slackEmoji).join("");
  return decodeSlack(escapedLines(emoji))
    .split("\0")
    .map((piece, at) => (at % 2 === 1 ? (found[Number(piece)] ?? "") : piece));
}

/** Slack escapes and marks addresses in code, too. */
const codeText = (code: string): string =>
  decodeSlack(code.replace(bracketed, (_, inner: string) => inner.split("|").at(-1) ?? inner));

/** Code of several lines stands between lines of its own. */
function fenced(text: FormText): FormText {
  return joinedParts(
    text.map((part) =>
      typeof part === "string"
        ? part.replace(
            /([^\n]?)```([\s\S]*?)```(?!`)([^\n]?)/g,
            (all, before: string, code: string, behind: string) => {
              if (!code.includes("\n")) return all;
              const body = code.replace(/^\n/, "").replace(/\n$/, "");
              return `${before}${before && "\n"}\`\`\`\n${body}\n\`\`\`${behind && "\n"}${behind}`;
            },
          )
        : part,
    ),
  );
}

function inside(inner: string, names: SlackNames): TextPart {
  const bar = inner.indexOf("|");
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 || bar === inner.length - 1 ? undefined : decodeSlack(inner.slice(bar + 1));
  const id = target.slice(1);
  switch (target.charAt(0)) {
    case "@":
      names.person(id, label);
      return { person: id };
    case "#":
      return names.isChannel(id) ? { channel: id } : `#${label ?? id}`;
    case "!":
      if (id === "channel" || id === "everyone") return { everyone: "everyone" };
      if (id === "here") return { everyone: "here" };
      return label ?? `@${id.replace(/^subteam\^/, "").split("^")[0] ?? ""}`;
  }
  if (/^(?:mailto|tel):/i.test(target)) return label ?? target.slice(target.indexOf(":") + 1);
  const address = decodeSlack(target);
  return label === undefined || label === address ? address : markdownLink(label, address);
}

/** A link of Markdown. */
export function markdownLink(label: string, address: string): string {
  const words = replaceEmojiNames(label, slackEmoji)
    .join("")
    .replace(/[[\]\\]/g, "\\$&");
  return `[${words}](${/[()\s]/.test(address) ? `<${address}>` : address})`;
}
