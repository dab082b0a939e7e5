// Writes the documents that the api serves as pages below /docs: Markdown of the repository as HTML, with its headings.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import markdownIt from "markdown-it";

const root = new URL("../../", import.meta.url);
const pages = { bots: "docs/bots.md", client: "packages/client/README.md", interface: "docs/interface.md" };
const addresses = new Map(Object.entries(pages).map(([name, file]) => [new URL(file, root).href, name]));

// HTML in the text is shown as text, so no document can bring a script or a style along.
const markdown = markdownIt({ html: false });

/** Ids that a document gives to the heading below them, by the text of that heading. */
const anchor = /^<a id="([^"]+)"><\/a>\n+#+ (.+)$/gm;

function render(file) {
  const source = readFileSync(new URL(file, root), "utf8");
  const given = new Map([...source.matchAll(anchor)].map(([, id, heading]) => [heading, id]));
  const tokens = markdown.parse(source.replaceAll(/^<a id="[^"]+"><\/a>\n/gm, ""), {});
  const headings = [];
  let columns = [];
  let cell = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const { content, children } = tokens[index + 1];
      const id = given.get(content) ?? slug(content);
      token.attrSet("id", id);
      headings.push({ id, text: children.map((child) => child.content).join("") });
    }
    if (token.type === "thead_open") columns = [];
    if (token.type === "th_open") columns.push(tokens[index + 1].children.map((child) => child.content).join(""));
    if (token.type === "tr_open") cell = 0;
    if (token.type === "td_open") {
      // On a narrow screen the cells stand below each other, each behind the name of its column.
      if (columns.length > 1 && columns[cell] !== "" && tokens[index + 1].content !== "") {
        token.attrSet("data-column", columns[cell]);
      }
      cell += 1;
    }
    if (token.type === "inline") token.children = withLinksOfPages(token.children, new URL(file, root));
  }
  const [{ text: title }, ...others] = headings;
  return { title, html: markdown.renderer.render(tokens, markdown.options, {}), headings: others };
}

/** The id that other renderers give to a heading. */
const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

/** Links to documents with a page of their own lead to that page; links to any other file become plain text. */
function withLinksOfPages(tokens, from) {
  const kept = [];
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const target = new URL(token.attrGet("href"), from);
      const { hash } = target;
      target.hash = "";
      const name = addresses.get(target.href);
      isDropped = target.protocol === "file:" && name === undefined;
      if (name !== undefined) token.attrSet("href", target.href === from.href ? hash : `${name}${hash}`);
    }
    if (isDropped && token.type.startsWith("link_")) {
      if (token.type === "link_close") isDropped = false;
      continue;
    }
    kept.push(token);
  }
  return kept;
}

const rendered = Object.fromEntries(Object.entries(pages).map(([name, file]) => [name, render(file)]));
mkdirSync(new URL("generated/", import.meta.url), { recursive: true });
writeFileSync(new URL("generated/documents.json", import.meta.url), JSON.stringify(rendered));
