/** A mark of the page beyond Markdown: `value` is a name without its sign, empty for a spoiler. */
export interface Mark {
  kind: "user" | "role" | "channel" | "emoji" | "spoiler";
  value: string;
}

/** A node of a message's Markdown; named as in mdast, with references resolved. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  /** Present with the type `mark`. */
  mark?: Mark;
  /** Place in the text, in UTF-16 units; of marks alone. */
  from?: number;
  to?: number;
  depth?: number;
  ordered?: boolean;
  start?: number;
  spread?: boolean;
  checked?: boolean | null;
  lang?: string;
  align?: ("left" | "right" | "center" | null)[];
  /** Present with a link or picture. */
  url?: string;
  alt?: string;
  /** Whether a link stands in angle brackets, so that it gets no card. */
  isBare?: boolean;
  /** Which footnote a `footnoteReference` leads to: its place in the list of footnotes, from 0. */
  footnote?: number;
}

/** A message as it is shown: its blocks, and the footnotes that they refer to, in the order of the references. */
export interface MessageTree {
  children: MarkdownNode[];
  footnotes: MarkdownNode[];
}
