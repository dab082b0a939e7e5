import { type MarkdownNode, type MessageTree, readMessage } from "@parley/message-text";
import { createElement, type ElementType, type ReactNode } from "react";

/** Components in the place of elements of HTML, and of `mark`, by their names. */
export type Elements = Readonly<Record<string, ElementType>>;

/**
 * Shows a message's text as `@parley/message-text` reads it, as the services do. Its elements are those of
 * react-markdown. Footnotes have no links, whose ids would be those of other messages, too.
 *
 * @param roleNames the roles that the text mentions, the longest name first
 */
export const renderMarkdown = (text: string, elements: Elements, roleNames: readonly string[] = []): ReactNode =>
  new Rendering(elements).document(readMessage(text, roleNames));

class Rendering {
  readonly #elements: Elements;
  /** A button of a mention would be one in a link. */
  #isInLink = false;

  constructor(elements: Elements) {
    this.#elements = elements;
  }

  document({ children, footnotes }: MessageTree): ReactNode {
    const body = this.#wrap(children, false);
    if (footnotes.length === 0) return this.#element("fragment", {}, body);
    const items = footnotes.map((footnote) => this.#element("li", {}, this.#wrap(footnote.children ?? [], true)));
    return this.#element("fragment", {}, [...body, "\n", this.#element("ol", {}, lined(items))]);
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

  /** The elements of a node; null for one that is not shown. */
  #one(node: MarkdownNode): ReactNode[] | ReactNode | null {
    switch (node.type) {
      case "text":
        return node.value?.replaceAll(zeroWidthSpace, "") ?? "";
      case "mark":
        return this.#element("mark", { ...node.mark, isInLink: this.#isInLink }, this.#all(node));
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
        return this.#element("code", {}, [node.value]);
      case "code":
        return this.#code(node);
      case "list":
        return this.#list(node);
      case "table":
        return this.#table(node);
      case "link":
        return this.#link(node);
      case "image":
        return this.#element("img", { src: safeAddress(node.url), alt: node.alt });
      case "footnoteReference":
        return this.#element("sup", {}, [(node.footnote ?? 0) + 1]);
      default:
        return null;
    }
  }

  #code({ lang, value }: MarkdownNode): ReactNode {
    const props = lang === undefined ? {} : { className: `language-${lang}` };
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
    const blocks = [...(item.children ?? [])];
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

  #link(node: MarkdownNode): ReactNode {
    const wasInLink = this.#isInLink;
    this.#isInLink = true;
    const label = this.#all(node);
    this.#isInLink = wasInLink;
    return this.#element("a", { href: safeAddress(node.url) }, label);
  }
}

const zeroWidthSpace = "\u200b";

/** Blocks with a line break before, between and after them. */
const lined = (blocks: readonly ReactNode[]): ReactNode[] => ["\n", ...blocks.flatMap((block) => [block, "\n"])];

const isTask = ({ checked }: MarkdownNode) => typeof checked === "boolean";

const isItemLoose = ({ spread, children = [] }: MarkdownNode) => spread ?? children.length > 1;

const safeProtocols = /^(?:https?|ircs?|mailto|xmpp)$/i;

/** An address without a protocol, or with one that runs nothing; empty for any other. */
function safeAddress(url = ""): string {
  // A backslash would be a slash in it. Encoded characters stay encoded.
  const encoded = encodeURI(url)
    .replaceAll(/%25(?=[0-9A-Za-z]{2})/g, "%")
    // The brackets of a host, which is an address of IPv6.
    .replace(/^([a-z]+:\/\/(?:[^/?#@]*@)?)%5B([\da-f:.]+)%5D/i, "$1[$2]");
  const protocol = /^[^/?#:]*(?=:)/.exec(encoded)?.[0];
  return protocol === undefined || safeProtocols.test(protocol) ? encoded : "";
}
