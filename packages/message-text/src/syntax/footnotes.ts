import type { MarkdownConfig } from "@lezer/markdown";

const definition = /^\[\^(?:[^\s[\]\\]|\\.){1,999}\]:/;
const indent = 4;

/** `[^label]: text`, whose further blocks are indented. */
export const footnotes: MarkdownConfig = {
  defineNodes: [
    {
      name: "FootnoteDefinition",
      composite(_context, line) {
        if (line.next >= 0 && line.indent < line.baseIndent + indent) return false;
        if (line.next >= 0) line.moveBaseColumn(line.baseIndent + indent);
        return true;
      },
    },
    "FootnoteLabel",
  ],
  parseBlock: [
    {
      name: "FootnoteDefinition",
      before: "LinkReference",
      parse(context, line) {
        if (line.next !== 91) return false;
        const [label] = definition.exec(line.text.slice(line.pos)) ?? [];
        if (label === undefined) return false;
        const from = context.lineStart + line.pos;
        context.startComposite("FootnoteDefinition", line.pos, indent);
        context.addElement(context.elt("FootnoteLabel", from, from + label.length));
        line.moveBase(line.pos + label.length);
        return null;
      },
      endLeaf: (_context, line) => line.next === 91 && definition.test(line.text.slice(line.pos)),
    },
  ],
};
