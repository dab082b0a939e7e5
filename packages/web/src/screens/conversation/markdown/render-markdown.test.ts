import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { createElement, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown from "react-markdown";
import { expect, test } from "vitest";
import { inlineMarks, type MarkdownNode } from "./inline-marks.js";
import { renderMarkdown } from "./render-markdown.js";

// Neither has the titles of links and pictures.
const a = ({ href, children }: { href?: string; children?: ReactNode }) => createElement("a", { href }, children);
const img = ({ src, alt }: { src?: unknown; alt?: string }) => createElement("img", { src: String(src), alt });

function likeGithub(this: { data(): object }): void {
  Object.assign(this.data(), { micromarkExtensions: [gfm()], fromMarkdownExtensions: [gfmFromMarkdown()] });
}

/** As react-markdown wants to be told what becomes of a node that it does not know. */
const withMarks = () => (tree: MarkdownNode) => {
  inlineMarks(tree);
  const tell = (node: MarkdownNode): void => {
    if (node.mark !== undefined) Object.assign(node, { data: { hName: "mark", hProperties: node.mark } });
    node.children?.forEach(tell);
  };
  tell(tree);
};

const rendered = (text: string) => renderToStaticMarkup(renderMarkdown(text, { fragment: Fragment, a, img }));
const asReactMarkdown = (text: string) =>
  renderToStaticMarkup(
    createElement(ReactMarkdown, { remarkPlugins: [likeGithub, withMarks], components: { a, img } }, text),
  );

test.each([
  "a **b** *c* ~~d~~ `e\nf` g\\\nh  \ni",
  "# one\n\n## two\n###### six\n---\ntext\n> quote\n> > inner\n\n>",
  "- a\n- b\n  - c\n\n    d\n- e",
  "1. a\n2. b\n\n7) c\n\n   d\n8) e",
  "- [ ] a\n- [x] b **c**\n- d\n-\n- [ ]\n- [x] # e",
  "- # a\n- > b\n-\n  ```js\n  c\n  ```",
  "```ts title\nlet a;\n```\n\n```\n```\n\n    d",
  "| a | b | c |\n|:--|--:|:-:|\n| **d** | e |\n| f | g | h | i |",
  "| a |\n|---|",
  "[a](https://b.example 'c') [d][e] [e][] [e] [f][g] [g][] [g]\n\n[e]: <https://e.example>",
  "![a](https://b.example/c.png) ![](d.png) ![e][f] ![g][] ![*h*]\n\n[f]: f.png",
  "www.example.com https://example.com a@example.com <https://b.example> <c@example.com>",
  "<b onclick=x>bold</b>\n\n<script>alert(1)</script>\n\n&amp; &lt; &#x41;",
  "@ann :wave: #general ||hidden **and** [linked](https://a.example)|| `@ann`",
  "[a](<https://b.example/c d%20e%e\\\\f?ä>)",
  "[a](javascript:alert(1)) [b](JAVASCRIPT:x) [c](data:x) [d](/e:f) [g](?h:i) [j](#k:l) [m](java&#10;script:n) [o](mailto:p@q.example)",
  "",
  "\n\n",
])("%j becomes what react-markdown makes of it", (text) => {
  expect(rendered(text)).toBe(asReactMarkdown(text));
});

test("any combination of what means something in Markdown becomes what react-markdown makes of it", () => {
  const parts = [
    "a",
    "b c",
    " ",
    "\n",
    "\n\n",
    "  \n",
    "\n  ",
    "- ",
    "1. ",
    "> ",
    "# ",
    "**",
    "*",
    "_",
    "~~",
    "`",
    "```",
    "|",
  ];
  parts.push(
    "[",
    "]",
    "(",
    ")",
    "![",
    "[ ] ",
    "<",
    ">",
    ":",
    "||",
    "@ann",
    "\\",
    "|-|",
    "\n---\n",
    "www.x.example",
    "[a]: /b\n",
  );
  let seed = 11;
  const next = (count: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * count);
  };
  const texts = Array.from({ length: 400 }, () =>
    Array.from({ length: 1 + next(14) }, () => parts[next(parts.length)]).join(""),
  );
  expect(texts.map(rendered)).toEqual(texts.map(asReactMarkdown));
});

test("footnotes are numbered in the order of their references, and stand at the end", () => {
  const html = rendered("a[^x] b[^y] c[^x] d[^none]\n\n[^y]: second\n\n[^x]: first[^z]\n\n[^z]: third");
  expect(html).toBe(
    "<p>a<sup>1</sup> b<sup>2</sup> c<sup>1</sup> d[^none]</p>\n" +
      "<ol>\n<li>\n<p>first<sup>3</sup></p>\n</li>\n<li>\n<p>second</p>\n</li>\n<li>\n<p>third</p>\n</li>\n</ol>",
  );
});
