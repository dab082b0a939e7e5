/** The properties of a Markdown node that are used here. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  data?: { hName: string; hProperties: Record<string, string> };
}

// `:emoji:`, and at the beginning of a word `@name` and `#channel` (docs/interface.md#7.1).
const pattern = /:(?<emoji>[a-z0-9_-]{1,32}):|(?<![^\s(])(?:@(?<user>[\w-]+)|#(?<channel>[^\s#.,;:!?)]+))/gu;

/** A remark plugin that marks mentions, channels, custom emoji and spoilers in text, but not in code. */
export function inlineMarks() {
  return (tree: MarkdownNode): void => mark(tree);
}

function mark(node: MarkdownNode): void {
  if (node.children === undefined || node.type === "link") return;
  node.children = hideSpoilers(node.children).flatMap((child) =>
    child.type === "text" ? split(child.value ?? "") : [child],
  );
  for (const child of node.children) if (child.type !== "mark") mark(child);
}

const bars = "||";

/** Puts what stands between two `||` into a mark, also where it has a format or a link. */
function hideSpoilers(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  if (!nodes.some(({ type, value }) => type === "text" && value?.includes(bars))) return [...nodes];
  const shown: MarkdownNode[] = [];
  /** The place of the `||` that waits for the next one. */
  let begin: number | null = null;
  for (const node of nodes) {
    const texts = node.type === "text" ? (node.value ?? "").split(bars) : [null];
    for (const [index, value] of texts.entries()) {
      if (index > 0) {
        if (begin === null || begin === shown.length - 1) {
          begin = shown.length;
          shown.push({ type: "text", value: bars });
        } else {
          const children = shown.splice(begin).slice(1);
          shown.push(spoiler(children));
          begin = null;
        }
      }
      if (value !== "") shown.push(value === null ? node : { type: "text", value });
    }
  }
  return shown;
}

/** A mark; what is in it has marks of its own. */
function spoiler(children: MarkdownNode[]): MarkdownNode {
  const hidden: MarkdownNode = { type: "hidden", children };
  mark(hidden);
  return {
    type: "mark",
    data: { hName: "span", hProperties: { dataKind: "spoiler", dataValue: "" } },
    children: hidden.children ?? [],
  };
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
      children: [{ type: "text", value: match[0] }],
    });
    end = match.index + match[0].length;
  }
  if (end === 0) return [{ type: "text", value: text }];
  return end < text.length ? [...nodes, { type: "text", value: text.slice(end) }] : nodes;
}
