/** The properties of a Markdown node that are used here. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  data?: { hName: string; hProperties: Record<string, string> };
}

// `||spoiler||`, `:emoji:`, and at the beginning of a word `@name` and `#channel` (docs/interface.md#7.1).
const pattern =
  /\|\|(?<spoiler>[^|]+)\|\||:(?<emoji>[a-z0-9_-]{1,32}):|(?<![^\s(])(?:@(?<user>[\w-]+)|#(?<channel>[^\s#.,;:!?)]+))/gu;

/** A remark plugin that marks mentions, channels, custom emoji and spoilers in text, but not in code. */
export function inlineMarks() {
  return (tree: MarkdownNode): void => mark(tree);
}

function mark(node: MarkdownNode): void {
  if (node.children === undefined || node.type === "link") return;
  node.children = node.children.flatMap((child) => (child.type === "text" ? split(child.value ?? "") : [child]));
  for (const child of node.children) if (child.type !== "mark") mark(child);
}

function split(text: string): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const found = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined);
    if (found === undefined) continue;
    const [kind, value] = found;
    if (match.index > end) nodes.push({ type: "text", value: text.slice(end, match.index) });
    nodes.push({
      type: "mark",
      data: { hName: "span", hProperties: { dataKind: kind, dataValue: value } },
      children: [{ type: "text", value: kind === "spoiler" ? value : match[0] }],
    });
    end = match.index + match[0].length;
  }
  if (end === 0) return [{ type: "text", value: text }];
  return end < text.length ? [...nodes, { type: "text", value: text.slice(end) }] : nodes;
}
