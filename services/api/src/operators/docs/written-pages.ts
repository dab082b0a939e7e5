import { readFileSync } from "node:fs";
import { z } from "zod";
import { escapeHtml, page } from "../../platform/http/html.js";

const WrittenPage = z.object({
  title: z.string(),
  html: z.string(),
  headings: z.array(z.object({ id: z.string(), text: z.string() })),
});

/** Pages that are written in Markdown, by their address below /docs; the build makes HTML of them (render-documents.mjs). */
const WrittenPages = z
  .object({ bots: WrittenPage, client: WrittenPage, interface: WrittenPage, protocol: WrittenPage })
  .catchall(WrittenPage);
export type WrittenPages = z.infer<typeof WrittenPages>;

/** Reads the pages that the build has made. */
export function readWrittenPages(): WrittenPages {
  const file = new URL("../../../generated/documents.json", import.meta.url);
  return WrittenPages.parse(JSON.parse(readFileSync(file, "utf8")));
}

/**
 * One of them as a page.
 *
 * @param folder address of /docs/, relative to the page
 */
export function writtenPage({ title, html }: z.infer<typeof WrittenPage>, folder = ""): string {
  return page({ title, folder, body: `<main>\n${html}</main>` });
}

/** Its headings as a group of a list that can be searched. */
export function headingList(address: string, { title, headings }: z.infer<typeof WrittenPage>): string {
  const entries = headings.map(({ id, text }) => `<li><a href="${address}#${id}">${escapeHtml(text)}</a></li>`);
  return `<section><h3>${escapeHtml(title)}</h3><ul>${entries.join("\n")}</ul></section>`;
}
