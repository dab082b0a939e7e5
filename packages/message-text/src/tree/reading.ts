import type { SyntaxNode } from "@lezer/common";
import type { Definitions } from "../syntax/links.js";

/** The state of a text's conversion to nodes. */
export interface Reading {
  text: string;
  definitions: Definitions;
  /** Whether brackets may begin a link anywhere in the text. */
  hasLinks: boolean;
  /** How many `|` it has. */
  bars: number;
  /** Where the run of backslashes ends that was looked at last. */
  backslashesEnd: number;
  /** The footnotes that were referred to, in this order. */
  used: string[];
}

export const sourceOf = ({ text }: Reading, { from, to }: { from: number; to: number }): string => text.slice(from, to);

/** The children of a node, in their order. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
