import type { SyntaxNode } from "@lezer/common";
import { decodeString } from "micromark-util-decode-string";
import type { MarkdownNode } from "../node.js";
import { contentOf } from "./inlines.js";
import { childrenOf, type Reading, sourceOf } from "./reading.js";

/** The blocks in a document, quote, item or footnote. */
export const blocksOf = (reading: Reading, node: SyntaxNode): MarkdownNode[] =>
  childrenOf(node).flatMap((child) => blockOf(reading, child) ?? []);

/** The node of a block of the syntax; null for a mark of it, and for a definition. */
function blockOf(reading: Reading, node: SyntaxNode): MarkdownNode | null {
  switch (node.name) {
    case "Paragraph":
      return { type: "paragraph", children: contentOf(reading, node) };
    case "Task":
      return { type: "paragraph", children: contentOf(reading, node, { from: node.from + "[x]".length }) };
    case "Blockquote":
      return { type: "blockquote", children: blocksOf(reading, node) };
    case "HorizontalRule":
      return { type: "thematicBreak" };
    case "CodeBlock":
      return { type: "code", value: codeOf(reading, node) };
    case "FencedCode":
      return fenceOf(reading, node);
    case "BulletList":
    case "OrderedList":
      return listOf(reading, node);
    case "Table":
      return tableOf(reading, node);
    default:
      return /^(?:ATX|Setext)Heading/.test(node.name) ? headingOf(reading, node) : null;
  }
}

function headingOf(reading: Reading, node: SyntaxNode): MarkdownNode {
  const depth = Number(node.name.at(-1));
  return { type: "heading", depth, children: contentOf(reading, node) };
}

const codeOf = (reading: Reading, node: SyntaxNode): string =>
  node
    .getChildren("CodeText")
    .map((part) => sourceOf(reading, part))
    .join("")
    .replaceAll("\r\n", "\n");

/** The lines of a fence lose as many blanks as stand before it. */
function fenceOf(reading: Reading, node: SyntaxNode): MarkdownNode {
  const lineFrom = reading.text.lastIndexOf("\n", node.from - 1) + 1;
  const indent =
    /[ ]*$/.exec(node.parent?.name === "Document" ? reading.text.slice(lineFrom, node.from) : "")?.[0].length ?? 0;
  const isOpen = node.getChildren("CodeMark").length < 2;
  const code = isOpen ? codeOf(reading, node).replace(/\n$/, "") : codeOf(reading, node);
  const info = node.getChild("CodeInfo");
  const lang = info === null ? undefined : decodeString(sourceOf(reading, info)).split(/\s+/)[0];
  return {
    type: "code",
    value: indent === 0 ? code : code.replaceAll(new RegExp(`^ {1,${indent}}`, "gm"), ""),
    ...(lang ? { lang } : {}),
  };
}

function listOf(reading: Reading, node: SyntaxNode): MarkdownNode {
  const items = node.getChildren("ListItem");
  const ordered = node.name === "OrderedList";
  const mark = items[0]?.getChild("ListMark");
  return {
    type: "list",
    ordered,
    ...(ordered && mark ? { start: Number.parseInt(sourceOf(reading, mark), 10) } : {}),
    spread: areApart(reading, items),
    children: items.map((item) => itemOf(reading, item)),
  };
}

function itemOf(reading: Reading, item: SyntaxNode): MarkdownNode {
  const blocks = childrenOf(item).filter(({ name }) => name !== "ListMark" && name !== "QuoteMark");
  const task = item.getChild("Task")?.getChild("TaskMarker");
  return {
    type: "listItem",
    spread: areApart(reading, blocks),
    checked: task ? /x/i.test(sourceOf(reading, task)) : null,
    children: blocksOf(reading, item),
  };
}

/** Whether an empty line stands between two of the nodes. */
const areApart = ({ text }: Reading, nodes: readonly SyntaxNode[]): boolean =>
  nodes.some((node, index) => {
    const next = nodes[index + 1];
    return next !== undefined && /\n[ \t>\r]*\n/.test(text.slice(node.to, next.from));
  });

function tableOf(reading: Reading, node: SyntaxNode): MarkdownNode {
  const delimiters = node.getChild("TableDelimiter");
  const columns =
    delimiters === null
      ? []
      : sourceOf(reading, delimiters)
          .replaceAll(/^[\s>|]+|[\s|]+$/g, "")
          .split("|");
  const rows = childrenOf(node).filter(({ name }) => name === "TableHeader" || name === "TableRow");
  return {
    type: "table",
    align: columns.map(alignOf),
    children: rows.map((row) => ({
      type: "tableRow",
      children: cellsOf(reading, row).slice(0, columns.length),
    })),
  };
}

/** The cells of a row; between two bars with nothing else there is an empty one, which the syntax leaves out. */
function cellsOf(reading: Reading, row: SyntaxNode): MarkdownNode[] {
  const cells: MarkdownNode[] = [];
  let isAfterBar = false;
  for (const [index, part] of childrenOf(row).entries()) {
    if (part.name === "TableCell")
      cells.push({ type: "tableCell", children: contentOf(reading, part, { isInCell: true }) });
    else if (part.name === "TableDelimiter" && isAfterBar && index > 0) cells.push({ type: "tableCell", children: [] });
    isAfterBar = part.name === "TableDelimiter";
  }
  return cells;
}

function alignOf(column: string): "left" | "right" | "center" | null {
  const text = column.trim();
  if (text.startsWith(":")) return text.endsWith(":") ? "center" : "left";
  return text.endsWith(":") ? "right" : null;
}
