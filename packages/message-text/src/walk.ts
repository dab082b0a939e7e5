import type { MarkdownNode, MessageTree } from "./node.js";

/** Whether a part of a message is hidden until somebody opens it. */
export const isSpoiler = ({ mark }: MarkdownNode): boolean => mark?.kind === "spoiler";

/**
 * Every node of a message in the order in which it is shown.
 *
 * @param enter whether the nodes in a node are walked, too
 */
export function* walk(
  { children, footnotes }: MessageTree,
  enter: (node: MarkdownNode) => boolean = () => true,
): Generator<MarkdownNode> {
  // A stack of its own: marks may be nested as deep as a text is long.
  const waiting = [...children, ...footnotes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    if (enter(node)) for (const child of (node.children ?? []).toReversed()) waiting.push(child);
  }
}
