import markdownIt from "markdown-it";
import { page } from "../../platform/http/html.js";

// HTML in the text is shown as text, and markdown-it makes no link to an address that runs a script. Pictures are left out:
// they would tell strangers who reads the page.
const markdown = markdownIt({ html: false, linkify: false }).disable("image");

/** A page in Markdown as HTML, without scripts and pictures. */
export const renderPage = ({ title, text }: { title: string; text: string }): string =>
  page({ title, folder: "docs/", nav: "", body: `<main>\n${markdown.render(text)}</main>` });
