import type { SyntaxNode } from "@lezer/common";
import { normalizeIdentifier } from "micromark-util-normalize-identifier";
import type { MarkdownNode, MessageTree } from "./node.js";
import type { Definitions } from "./syntax/links.js";
import { parserFor } from "./syntax/parser.js";
import { blocksOf } from "./tree/blocks.js";
import { destinationOf } from "./tree/inlines.js";
import { childrenOf, type Reading } from "./tree/reading.js";

const noDefinitions: Definitions = { links: new Map(), footnotes: new Set() };
const mayDefine = /\]:/;

/** Each character of such a text may add a level to the tree. */
const deeplyNested = /(?:(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])[ \t]*){30}/;

/** Whether a text is no Markdown, but shown as it is: its quotes and lists are nested 30 levels deep. */
export const isDeeplyNested = (text: string): boolean => deeplyNested.test(text);

/**
 * Reads the text of a message as Markdown, as the page shows it and the services understand it
 * (docs/protocol/messages.md#7.1). Pure, and bounded in time for any text.
 *
 * @param roleNames the roles that it may mention, the longest name first
 */
export function readMessage(text: string, roleNames: readonly string[] = []): MessageTree {
  if (isDeeplyNested(text)) return { children: [paragraphOf(text)], footnotes: [] };
  let document = parserFor(noDefinitions, roleNames).parse(text).topNode;
  let definitions = noDefinitions;
  const footnotes = new Map<string, SyntaxNode>();
  if (mayDefine.test(text)) {
    definitions = definitionsOf(text, document);
    if (definitions.links.size + definitions.footnotes.size > 0)
      document = parserFor(definitions, roleNames).parse(text).topNode;
    for (const node of definingNodes(document, "FootnoteDefinition")) {
      const label = footnoteLabel(text, node);
      if (!footnotes.has(label)) footnotes.set(label, node);
    }
  }
  const reading: Reading = {
    text,
    definitions,
    hasLinks: /\]\\?[([:]/.test(text),
    backslashesEnd: 0,
    bars: text.split("|").length - 1,
    used: [],
  };
  const children = blocksOf(reading, document);
  const shown: MarkdownNode[] = [];
  // A footnote may refer to further ones.
  for (let at = 0; at < reading.used.length; at += 1) {
    const node = footnotes.get(reading.used[at] ?? "");
    shown.push({ type: "footnote", children: node === undefined ? [] : blocksOf(reading, node) });
  }
  return { children, footnotes: shown };
}

const paragraphOf = (value: string): MarkdownNode => ({ type: "paragraph", children: [{ type: "text", value }] });

function definitionsOf(text: string, document: SyntaxNode): Definitions {
  const links = new Map<string, string>();
  for (const node of definingNodes(document, "LinkReference")) {
    const label = node.getChild("LinkLabel");
    const url = node.getChild("URL");
    if (label === null || url === null) continue;
    const name = normalizeIdentifier(text.slice(label.from + 1, label.to - 1));
    if (!links.has(name)) links.set(name, destinationOf(text.slice(url.from, url.to)));
  }
  const footnotes = new Set(definingNodes(document, "FootnoteDefinition").map((node) => footnoteLabel(text, node)));
  return { links, footnotes };
}

function footnoteLabel(text: string, node: SyntaxNode): string {
  const label = node.getChild("FootnoteLabel");
  return label === null ? "" : normalizeIdentifier(text.slice(label.from + "[^".length, label.to - "]:".length));
}

/** The nodes of a name in a document, also in its quotes, lists and footnotes, in their order. */
const definingNodes = (node: SyntaxNode, name: string): SyntaxNode[] =>
  childrenOf(node).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...(blockContext.test(child.name) ? definingNodes(child, name) : []),
  ]);

const blockContext = /^(?:Blockquote|BulletList|OrderedList|ListItem|FootnoteDefinition)$/;
