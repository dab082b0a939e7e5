// Writes the documents that the api serves as pages below /docs: Markdown of the repository as HTML, with its headings.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import markdownIt from "markdown-it";

const root = new URL("../../", import.meta.url);
const topics = readdirSync(new URL("docs/protocol/", root)).filter((file) => file !== "README.md");
/** Pages by their address below /docs. */
const pages = {
  bots: "docs/guides/first-bot.md",
  client: "packages/client/README.md",
  interface: "docs/interface.md",
  protocol: "docs/protocol/README.md",
  ...Object.fromEntries(topics.map((file) => [`protocol/${file.replace(/\.md$/, "")}`, `docs/protocol/${file}`])),
  "reference/errors": "docs/reference/errors.md",
  "reference/caps": "docs/reference/caps.md",
};
const addresses = new Map(Object.entries(pages).map(([name, file]) => [new URL(file, root).href, name]));
/** Documents that the api serves in another form, with other anchors. */
const otherForms = new Map([
  [new URL("docs/reference/README.md", root).href, "rest"],
  [new URL("docs/reference/objects.md", root).href, "rest"],
  [new URL("docs/reference/events.md", root).href, "gateway"],
]);

// HTML in the text is shown as text, so no document can bring a script or a style along.
const markdown = markdownIt({ html: false });

/** Ids that a document gives to the heading below them, by that heading. */
const anchor = /^<a id="([^"]+)"><\/a>\n+(#+ .+)$/gm;

/** Ids within a line, which pass through the renderer between characters that no document has. */
const inLine = /<a id="([\d.]+)"><\/a>(?=\S)/g;
const marked = /\u{e000}([\d.]+)\u{e001}/gu;

function render(address, file) {
  const written = readFileSync(new URL(file, root), "utf8").replaceAll(/^<!--.*-->\n/gm, "");
  const source = written.replaceAll(inLine, "\u{e000}$1\u{e001}");
  const given = new Map([...source.matchAll(anchor)].map(([, id, heading]) => [heading, id]));
  const tokens = markdown.parse(source.replaceAll(/^<a id="[^"]+"><\/a>\n/gm, ""), {});
  const headings = [];
  let columns = [];
  let cell = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const { content, children } = tokens[index + 1];
      const id = given.get(`${"#".repeat(Number(token.tag.slice(1)))} ${content}`) ?? slug(content);
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
    if (token.type === "inline") {
      token.children = withLinksOfPages(token.children, address, new URL(file, root));
    }
  }
  const [{ text: title }, ...others] = headings;
  const html = markdown.renderer.render(tokens, markdown.options, {}).replaceAll(marked, '<a id="$1"></a>');
  return { title, html, headings: others };
}

/** The id that other renderers give to a heading. */
const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

/** Links to documents with a page of their own lead to that page; links to any other file become plain text. */
function withLinksOfPages(tokens, address, from) {
  const kept = [];
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const target = new URL(token.attrGet("href"), from);
      const { hash } = target;
      target.hash = "";
      const name = addresses.get(target.href);
      const other = otherForms.get(target.href);
      isDropped = target.protocol === "file:" && name === undefined && other === undefined;
      const to = (page) => posix.relative(posix.dirname(address), page);
      if (name !== undefined) token.attrSet("href", target.href === from.href ? hash : `${to(name)}${hash}`);
      if (other !== undefined) token.attrSet("href", to(other));
    }
    if (isDropped && token.type.startsWith("link_")) {
      if (token.type === "link_close") isDropped = false;
      continue;
    }
    kept.push(token);
  }
  return kept;
}

const rendered = Object.fromEntries(Object.entries(pages).map(([name, file]) => [name, render(name, file)]));
mkdirSync(new URL("generated/", import.meta.url), { recursive: true });
writeFileSync(new URL("generated/documents.json", import.meta.url), JSON.stringify(rendered));
