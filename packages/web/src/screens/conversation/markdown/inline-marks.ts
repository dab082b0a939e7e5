/** A node of Markdown with the properties that are used here. */
export interface MarkdownNode {
  type: string;
  value?: string | undefined;
  children?: MarkdownNode[];
  /** Of the type `mark`. */
  mark?: { kind: string; value: string };
  depth?: number;
  ordered?: boolean | null | undefined;
  start?: number | null | undefined;
  spread?: boolean | null | undefined;
  checked?: boolean | null | undefined;
  lang?: string | null | undefined;
  align?: ("left" | "right" | "center" | null)[] | null | undefined;
  url?: string;
  alt?: string | null | undefined;
  identifier?: string;
  label?: string | null | undefined;
  referenceType?: string;
}

// `:emoji:`, and at the beginning of a word `@name` and `#channel` (docs/interface.md#7.1).
const pattern = /:(?<emoji>[a-z0-9_-]{1,32}):|(?<![^\s(])(?:@(?<user>[\w-]+)|#(?<channel>[^\s#.,;:!?)]+))/gu;

/** Marks mentions, channels, custom emoji and spoilers in text, but not in code and links. */
export function inlineMarks(node: MarkdownNode): void {
  if (node.children === undefined || node.type === "link") return;
  node.children = hideSpoilers(node.children).flatMap((child) =>
    child.type === "text" ? split(child.value ?? "") : [child],
  );
  for (const child of node.children) if (child.type !== "mark") inlineMarks(child);
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
  inlineMarks(hidden);
  return { type: "mark", mark: { kind: "spoiler", value: "" }, children: hidden.children ?? [] };
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
      mark: { kind, value: value ?? "" },
      children: [{ type: "text", value: match[0] }],
    });
    end = match.index + match[0].length;
  }
  if (end === 0) return [{ type: "text", value: text }];
  return end < text.length ? [...nodes, { type: "text", value: text.slice(end) }] : nodes;
}
