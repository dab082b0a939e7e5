import type { SyntaxNode } from "@lezer/common";
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { decodeNumericCharacterReference } from "micromark-util-decode-numeric-character-reference";
import { decodeString } from "micromark-util-decode-string";
import { normalizeIdentifier } from "micromark-util-normalize-identifier";
import type { Mark, MarkdownNode } from "../node.js";
import { mentionRun } from "../syntax/marks.js";
import { isBackslashHidden } from "./backslashes.js";
import { childrenOf, type Reading, sourceOf } from "./reading.js";

/** Where inline nodes are. */
export interface Surroundings {
  isInCell?: boolean;
  isInLink?: boolean;
}

/** The inline content of a paragraph, heading or cell, without the blanks around its lines. */
export function contentOf(
  reading: Reading,
  node: SyntaxNode,
  { from = node.from, to = node.to, ...surroundings }: Surroundings & { from?: number; to?: number } = {},
): MarkdownNode[] {
  const nodes = inlinesOf(reading, node, { from, to }, surroundings);
  for (const [index, each] of nodes.entries()) {
    if (each.type !== "text" || each.value === undefined) continue;
    if (index === 0 || nodes[index - 1]?.type === "break") each.value = each.value.replace(/^[ \t]+/, "");
    if (index === nodes.length - 1 || nodes[index + 1]?.type === "break") each.value = each.value.trimEnd();
  }
  return nodes.filter(({ type, value }) => type !== "text" || value !== "");
}

/** The inline nodes of a range of a node, with text for the parts that no other node covers. */
function inlinesOf(
  reading: Reading,
  node: SyntaxNode,
  { from, to }: { from: number; to: number },
  surroundings: Surroundings,
): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  const add = (made: MarkdownNode) => {
    const last = nodes.at(-1);
    if (made.type === "text" && last?.type === "text") last.value = `${last.value ?? ""}${made.value ?? ""}`;
    else nodes.push(made);
  };
  let end = from;
  for (const child of childrenOf(node)) {
    if (child.to <= from || child.from >= to) continue;
    if (child.from > end) add(textNode(reading.text.slice(end, child.from)));
    const made = inlineOf(reading, child, surroundings);
    if (made !== null) add(made);
    end = child.to;
  }
  if (end < to) add(textNode(reading.text.slice(end, to)));
  for (const each of nodes) {
    if (each.type === "text") each.value = each.value?.replace(/[ \t\r]*\n[ \t]*/g, "\n") ?? "";
  }
  return nodes;
}

const textNode = (value: string): MarkdownNode => ({ type: "text", value });

/** The inline node of a node of the syntax; null for a mark of it. */
function inlineOf(reading: Reading, node: SyntaxNode, surroundings: Surroundings): MarkdownNode | null {
  const inside = () => inlinesOf(reading, node, node, surroundings);
  const source = sourceOf(reading, node);
  switch (node.name) {
    case "Escape":
      return textNode(isBackslashHidden(reading, node.from, surroundings.isInCell === true) ? source.slice(1) : source);
    case "Entity":
      return textNode(decodeReference(source));
    case "HardBreak":
      return { type: "break" };
    case "InlineCode":
      return { type: "inlineCode", value: codeOf(reading, node, surroundings) };
    case "Emphasis":
      return { type: "emphasis", children: inside() };
    case "StrongEmphasis":
      return { type: "strong", children: inside() };
    case "Strikethrough":
      return { type: "delete", children: inside() };
    case "Spoiler":
      return markNode(node, { kind: "spoiler", value: "" }, inside());
    case "Mention":
      return markNode(node, { kind: "user", value: mentionRun(reading.text, node.from) }, [textNode(source)]);
    case "RoleMention":
      return markNode(node, { kind: "role", value: source.slice(1) }, [textNode(source)]);
    case "Channel":
      return markNode(node, { kind: "channel", value: source.slice(1) }, [textNode(source)]);
    case "CustomEmoji":
      return markNode(node, { kind: "emoji", value: source.slice(1, -1) }, [textNode(source)]);
    case "Address":
      return surroundings.isInLink ? textNode(source) : linkNode(addressUrl(source), source);
    case "Autolink":
      return surroundings.isInLink
        ? textNode(source)
        : { ...linkNode(addressUrl(source.slice(1, -1)), source.slice(1, -1)), isBare: true };
    case "Link":
      return {
        type: "link",
        url: urlOf(reading, node),
        children: labelOf(reading, node, { ...surroundings, isInLink: true }),
      };
    case "Image":
      return {
        type: "image",
        url: urlOf(reading, node),
        alt: labelOf(reading, node, surroundings).map(plainText).join(""),
      };
    case "FootnoteReference":
      return footnoteNode(reading, source);
    default:
      return null;
  }
}

const markNode = ({ from, to }: SyntaxNode, mark: Mark, children: MarkdownNode[]): MarkdownNode => ({
  type: "mark",
  mark,
  from,
  to,
  children,
});

const linkNode = (url: string, text: string): MarkdownNode => ({ type: "link", url, children: [textNode(text)] });

/** The address of a link that is written as it is: of the web, or of mail. */
function addressUrl(address: string): string {
  if (/^www\./i.test(address)) return `http://${address}`;
  return /^[a-z][a-z\d+.-]*:/i.test(address) ? address : `mailto:${address}`;
}

function decodeReference(source: string): string {
  const inner = source.slice(1, -1);
  if (!inner.startsWith("#")) return decodeNamedCharacterReference(inner) || source;
  const isHex = /^#x/i.test(inner);
  return decodeNumericCharacterReference(inner.slice(isHex ? 2 : 1), isHex ? 16 : 10);
}

/** Code without its marks, and without the blank beside each of them. */
function codeOf(reading: Reading, node: SyntaxNode, { isInCell = false }: Surroundings): string {
  const [open, ...others] = childrenOf(node);
  const close = others.at(-1);
  if (open === undefined || close === undefined) return "";
  let code = "";
  let end = open.to;
  // Marks of quotes stand between its lines.
  for (const mark of others) {
    code += reading.text.slice(end, mark.from);
    end = mark.to;
  }
  const line = (isInCell ? code.replaceAll("\\|", "|") : code).replaceAll(/[ \t\r]*\n[ \t]*/g, " ");
  return /^ .*[^ ].* $/.test(line) ? line.slice(1, -1) : line;
}

function labelOf(reading: Reading, node: SyntaxNode, surroundings: Surroundings): MarkdownNode[] {
  const [open, close] = node.getChildren("LinkMark");
  if (open === undefined || close === undefined) return [];
  return inlinesOf(reading, node, { from: open.to, to: close.from }, surroundings);
}

function urlOf(reading: Reading, node: SyntaxNode): string {
  const url = node.getChild("URL");
  if (url !== null) return destinationOf(sourceOf(reading, url));
  const [open, close] = node.getChildren("LinkMark");
  const label = node.getChild("LinkLabel") ?? { from: open?.to ?? 0, to: close?.from ?? 0 };
  return reading.definitions.links.get(normalizeIdentifier(sourceOf(reading, label))) ?? "";
}

/** An address as it is written in a link or definition. */
export const destinationOf = (source: string): string =>
  decodeString(source.startsWith("<") ? source.slice(1, -1) : source);

/** The text of a picture where it is not loaded. */
const plainText = ({ value = "", alt, children = [] }: MarkdownNode): string =>
  alt ?? (value || children.map(plainText).join(""));

function footnoteNode(reading: Reading, source: string): MarkdownNode {
  const label = normalizeIdentifier(source.slice(2, -1));
  if (!reading.used.includes(label)) reading.used.push(label);
  return { type: "footnoteReference", footnote: reading.used.indexOf(label) };
}
