import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { createElement, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown from "react-markdown";
import { expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.js";

// Neither has the titles of links and pictures.
const a = ({ href, children }: { href?: string; children?: ReactNode }) => createElement("a", { href }, children);
const img = ({ src, alt }: { src?: unknown; alt?: string }) => createElement("img", { src: String(src), alt });
/** Only `@parley/message-text` knows mentions and the like: they are compared as the text that they are. */
const mark = ({ children }: { children?: ReactNode }) => children;

function likeGithub(this: { data(): object }): void {
  const noHtml = { disable: { null: ["htmlFlow", "htmlText"] } };
  Object.assign(this.data(), { micromarkExtensions: [gfm(), noHtml], fromMarkdownExtensions: [gfmFromMarkdown()] });
}

const rendered = (text: string) => renderToStaticMarkup(renderMarkdown(text, { fragment: Fragment, a, img, mark }));
const asReactMarkdown = (text: string) =>
  renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [likeGithub], components: { a, img } }, text));

test.each([
  "a **b** *c* ~~d~~ `e\nf` g\nh  \ni",
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
  "@ann :wave: #general `@ann`",
  "[a](<https://b.example/c d%20e%e\\\\f?ä>)",
  "[a](javascript:alert(1)) [b](JAVASCRIPT:x) [c](data:x) [d](/e:f) [g](?h:i) [j](#k:l) [m](java&#10;script:n) [o](mailto:p@q.example)",
  "",
  "\n\n",
])("%j becomes what react-markdown makes of it", (text) => {
  expect(rendered(text)).toBe(asReactMarkdown(text));
});

/** Texts of random parts, the same each time. */
function combine(
  parts: readonly string[],
  { count, partsMax, seed }: { count: number; partsMax: number; seed: number },
) {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(partsMax) }, () => parts[next(parts.length)]).join(""),
  );
}

test("any combination of what means something in a line becomes what react-markdown makes of it", () => {
  const parts = [
    "a",
    "b c",
    " ",
    ", ",
    "**",
    "*",
    "_",
    "__",
    "~~",
    "`",
    "``",
    "[",
    "]",
    "](/x)",
    "![",
    "(",
    ")",
    ":",
    "<",
  ];
  parts.push(
    "@ann ",
    "\\*a*",
    "www.x.example ",
    "https://x.example/a(b) ",
    "<https://x.example>",
    "&amp;",
    "&nope;",
    "x@y.example ",
  );
  const texts = combine(parts, { count: 400, partsMax: 14, seed: 11 });
  expect(texts.map(rendered)).toEqual(texts.map(asReactMarkdown));
});

test("any combination of blocks becomes what react-markdown makes of it", () => {
  const blocks = [
    "a\n",
    "b *c*\n",
    "\n",
    "- d\n",
    "  e\n",
    "1. f\n",
    "   - g\n",
    "> h\n",
    "# i\n",
    "---\n",
    "```\nj\n```\n",
  ];
  blocks.push("    k\n", "- [x] l\n", "\n|m|n|\n|-|-|\n|o|p|\n\n", "* q\n", "> - r\n", "> ```\n> s\n> ```\n");
  const texts = combine(blocks, { count: 400, partsMax: 8, seed: 5 });
  expect(texts.map(rendered)).toEqual(texts.map(asReactMarkdown));
});

test("footnotes are numbered in the order of their references, and stand at the end", () => {
  const html = rendered("a[^x] b[^y] c[^x] d[^none]\n\n[^y]: second\n\n[^x]: first[^z]\n\n[^z]: third");
  expect(html).toBe(
    "<p>a<sup>1</sup> b<sup>2</sup> c<sup>1</sup> d[^none]</p>\n" +
      "<ol>\n<li>\n<p>first<sup>3</sup></p>\n</li>\n<li>\n<p>second</p>\n</li>\n<li>\n<p>third</p>\n</li>\n</ol>",
  );
});
