import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { createElement, type ElementType, type ReactNode } from "react";
import { inlineMarks, type MarkdownNode } from "./inline-marks.js";

/** Components in the place of elements of HTML, and of `mark`, by their names. */
export type Elements = Readonly<Record<string, ElementType>>;

/** Made once: it takes about a third of the time that a text needs. */
const syntax = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/**
 * Reads Markdown with the tables, strikethrough, task lists, footnotes and bare links of GitHub, and with mentions,
 * emoji and spoilers; HTML in it is text. What it becomes is what react-markdown makes of it, without the tree of HTML in
 * between, which is 15 KB of compressed script with what belongs to it. Footnotes have no links, whose ids would be those
 * of other messages, too.
 */
export function renderMarkdown(text: string, elements: Elements): ReactNode {
  const root: MarkdownNode = fromMarkdown(text, syntax);
  inlineMarks(root);
  return new Rendering(root, elements).document(root);
}

class Rendering {
  readonly #elements: Elements;
  readonly #definitions = new Map<string, MarkdownNode>();
  readonly #footnotes = new Map<string, MarkdownNode>();
  /** The footnotes that were referred to, in this order. */
  readonly #used: MarkdownNode[] = [];

  constructor(root: MarkdownNode, elements: Elements) {
    this.#elements = elements;
    this.#define(root);
  }

  document(root: MarkdownNode): ReactNode {
    const body = this.#wrap(root.children ?? [], false);
    if (this.#used.length === 0) return this.#element("fragment", {}, body);
    const items: ReactNode[] = [];
    // A footnote may refer to further ones.
    for (let at = 0; at < this.#used.length; at += 1) {
      items.push(this.#element("li", {}, this.#wrap(this.#used[at]?.children ?? [], true)));
    }
    return this.#element("fragment", {}, [...body, "\n", this.#element("ol", {}, lined(items))]);
  }

  #define(node: MarkdownNode): void {
    const known =
      node.type === "definition" ? this.#definitions : node.type === "footnoteDefinition" ? this.#footnotes : null;
    const id = idOf(node);
    if (known !== null && !known.has(id)) known.set(id, node);
    for (const child of node.children ?? []) this.#define(child);
  }

  #element(name: string, props: object, children: readonly ReactNode[] = []): ReactNode {
    // As arguments, not as an array, which would need keys.
    return createElement(this.#elements[name] ?? name, props, ...children);
  }

  #all = ({ children = [] }: MarkdownNode): ReactNode[] => children.flatMap((child) => this.#one(child) ?? []);

  /** Blocks stand on lines of their own; `loose`: in an element of their own, too. */
  #wrap(nodes: readonly MarkdownNode[], loose: boolean): ReactNode[] {
    const blocks = nodes.flatMap((node) => {
      const made = this.#one(node);
      return made === null ? [] : [made];
    });
    return loose ? lined(blocks) : lined(blocks).slice(1, -1);
  }

  /** What a node becomes; null for one that is not shown. */
  #one(node: MarkdownNode): ReactNode[] | ReactNode | null {
    switch (node.type) {
      case "text":
      case "html":
        return node.value ?? "";
      case "mark":
        return this.#element("mark", { ...node.mark }, this.#all(node));
      case "paragraph":
        return this.#element("p", {}, this.#all(node));
      case "emphasis":
        return this.#element("em", {}, this.#all(node));
      case "strong":
        return this.#element("strong", {}, this.#all(node));
      case "delete":
        return this.#element("del", {}, this.#all(node));
      case "heading":
        return this.#element(`h${node.depth}`, {}, this.#all(node));
      case "blockquote":
        return this.#element("blockquote", {}, this.#wrap(node.children ?? [], true));
      case "thematicBreak":
        return this.#element("hr", {});
      case "break":
        return [this.#element("br", {}), "\n"];
      case "inlineCode":
        return this.#element("code", {}, [node.value?.replaceAll(/\r?\n|\r/g, " ")]);
      case "code":
        return this.#code(node);
      case "list":
        return this.#list(node);
      case "table":
        return this.#table(node);
      case "link":
      case "linkReference":
        return this.#link(node);
      case "image":
      case "imageReference":
        return this.#image(node);
      case "footnoteReference":
        return this.#footnote(node);
      default:
        return null;
    }
  }

  #code({ lang, value }: MarkdownNode): ReactNode {
    const language = lang?.split(/\s+/)[0];
    const props = language === undefined ? {} : { className: `language-${language}` };
    return this.#element("pre", {}, [this.#element("code", props, value ? [`${value}\n`] : [])]);
  }

  #list(node: MarkdownNode): ReactNode {
    const { children = [], ordered, start } = node;
    const isLoose = node.spread === true || children.some(isItemLoose);
    const items = children.map((item) => this.#item(item, isLoose));
    const props = {
      ...(typeof start === "number" && start !== 1 ? { start } : {}),
      ...(children.some(isTask) ? { className: "contains-task-list" } : {}),
    };
    return this.#element(ordered === true ? "ol" : "ul", props, lined(items));
  }

  #item(item: MarkdownNode, isLoose: boolean): ReactNode {
    const blocks = (item.children ?? []).filter(({ type }) => !/definition$/i.test(type));
    if (isTask(item) && blocks[0]?.type !== "paragraph") blocks.unshift({ type: "paragraph" });
    const parts: ReactNode[] = [];
    for (const [index, block] of blocks.entries()) {
      const isParagraph = block.type === "paragraph";
      if (isLoose || index > 0 || !isParagraph) parts.push("\n");
      if (!isParagraph) parts.push(this.#one(block));
      else {
        const made = this.#all(block);
        if (index === 0 && isTask(item)) {
          const box = this.#element("input", { type: "checkbox", checked: item.checked, disabled: true });
          made.unshift(...(made.length > 0 ? [box, " "] : [box]));
        }
        parts.push(...(isLoose ? [this.#element("p", {}, made)] : made));
      }
    }
    if (blocks.length > 0 && (isLoose || blocks.at(-1)?.type !== "paragraph")) parts.push("\n");
    return this.#element("li", isTask(item) ? { className: "task-list-item" } : {}, parts);
  }

  #table({ children = [], align }: MarkdownNode): ReactNode {
    const row = (node: MarkdownNode, name: "th" | "td") => {
      const cells = Array.from({ length: align?.length ?? node.children?.length ?? 0 }, (_, index) => {
        const textAlign = align?.[index];
        const cell = node.children?.[index];
        return this.#element(
          name,
          textAlign ? { style: { textAlign } } : {},
          cell === undefined ? [] : this.#all(cell),
        );
      });
      return this.#element("tr", {}, cells);
    };
    const [head, ...body] = children;
    return this.#element("table", {}, [
      ...(head === undefined ? [] : [this.#element("thead", {}, [row(head, "th")])]),
      ...(body.length === 0
        ? []
        : [
            this.#element(
              "tbody",
              {},
              body.map((each) => row(each, "td")),
            ),
          ]),
    ]);
  }

  #link(node: MarkdownNode): ReactNode[] | ReactNode {
    const target = node.type === "link" ? node : this.#definitions.get(idOf(node));
    if (target === undefined) return ["[", ...this.#all(node), endOf(node)];
    return this.#element("a", { href: safeAddress(target.url) }, this.#all(node));
  }

  #image(node: MarkdownNode): ReactNode {
    const target = node.type === "image" ? node : this.#definitions.get(idOf(node));
    if (target === undefined) return `![${node.alt}${endOf(node)}`;
    return this.#element("img", { src: safeAddress(target.url), alt: node.alt });
  }

  #footnote(node: MarkdownNode): ReactNode {
    const footnote = this.#footnotes.get(idOf(node));
    if (footnote === undefined) return null;
    if (!this.#used.includes(footnote)) this.#used.push(footnote);
    return this.#element("sup", {}, [this.#used.indexOf(footnote) + 1]);
  }
}

const idOf = ({ identifier }: MarkdownNode) => String(identifier).toUpperCase();

/** Blocks with a line break before, between and after them. */
const lined = (blocks: readonly ReactNode[]): ReactNode[] => ["\n", ...blocks.flatMap((block) => [block, "\n"])];

const isTask = ({ checked }: MarkdownNode) => typeof checked === "boolean";

const isItemLoose = ({ spread, children = [] }: MarkdownNode) => spread ?? children.length > 1;

/** How a reference ends in the text, for one that leads nowhere. */
function endOf({ referenceType, label, identifier }: MarkdownNode): string {
  if (referenceType === "collapsed") return "][]";
  return referenceType === "full" ? `][${label || identifier}]` : "]";
}

const safeProtocols = /^(?:https?|ircs?|mailto|xmpp)$/i;

/** An address without a protocol, or with one that runs nothing; empty for any other. */
function safeAddress(url = ""): string {
  // A backslash would be a slash in it. What is encoded already stays so.
  const encoded = encodeURI(url).replaceAll(/%25(?=[0-9A-Za-z]{2})/g, "%");
  const protocol = /^[^/?#:]*(?=:)/.exec(encoded)?.[0];
  return protocol === undefined || safeProtocols.test(protocol) ? encoded : "";
}
