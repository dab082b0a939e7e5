import type { Request, Response } from "express";
import { z } from "zod";
import { escapeHtml } from "./html.js";

/** The page may send its form to its own address, and nothing else. */
const pagePolicy = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The answer of a route that sends a page of {@link askingPage}. */
export const pageAnswer = (description: string) =>
  ({ status: 200, description, schema: z.string(), contentType: "text/html" }) as const;

/** The texts of a page that the link of a mail opens. */
export interface PageTexts {
  readonly title: string;
  readonly question: string;
  readonly confirm: string;
  readonly done: string;
}

/**
 * Whether opening a link asks first. Programs that check mails open links as browsers do, so a page asks the person; a program that
 * wants no page has read the mail itself, and means what it opens.
 */
export const asksFirst = (request: Request): boolean =>
  request.method !== "GET" || /\btext\/html\b/i.test(request.get("accept") ?? "");

/** Describes a route that does so. */
export const opensOrAsks =
  "With `text/html` in `Accept` it asks, and changes nothing: programs that check mails open their links as browsers do. Otherwise " +
  "opening the link uses it.";

/** A page that asks, or says that it is done. Without scripts and styles of its own: it is seen once. */
export function askingPage(
  { title, question, confirm, done }: PageTexts,
  { language, asks }: { language: string; asks: boolean },
): string {
  const form = `<p>${escapeHtml(question)}</p>
<form method="post"><button>${escapeHtml(confirm)}</button></form>`;
  return `<!doctype html>
<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${asks ? form : `<p>${escapeHtml(done)}</p>`}
</main>
</body>
</html>
`;
}

export function sendPage(response: Response, html: string): string {
  response.setHeader("Content-Security-Policy", pagePolicy);
  response.setHeader("Cache-Control", "no-store");
  // The address itself is the right to what the page does.
  response.setHeader("Referrer-Policy", "no-referrer");
  response.type("html").send(html);
  return "";
}
