const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as HTML, also between quotation marks. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** A page of `/docs`. */
export interface PageParts {
  title: string;
  /** HTML between `<body>` and `</body>`. */
  body: string;
  /** From the page's address to the folder of the pages: empty for `/docs/…`. */
  folder?: string;
  /** Stylesheets of `assets/` beside the common one. */
  styles?: readonly string[];
  /** Scripts of `assets/`, run in this order once the page is read. */
  scripts?: readonly string[];
  /** HTML above the body, instead of the links between the pages. */
  nav?: string;
}

/** A whole page. Addresses are relative, so that it works below `/api` too. */
export function page({ title, body, folder = "", styles = [], scripts = [], nav = navOf(folder) }: PageParts): string {
  const links = [...styles, "page.css"].map((file) => `<link rel="stylesheet" href="${folder}assets/${file}">`);
  const loaded = scripts.map((file) => `<script src="${folder}assets/${file}" defer></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${[...links, ...loaded].join("\n")}
</head>
<body>
${nav}
${body}
</body>
</html>
`;
}

const navOf = (folder: string) => `<nav class="pages" aria-label="Pages">${pageLinks(folder)}</nav>`;

function pageLinks(folder: string): string {
  const pages = { "": "Parley for developers", bots: "Bots", client: "Client", rest: "REST", gateway: "Gateway" };
  const links = Object.entries({ ...pages, protocol: "Protocol" }).map(
    // The address of the folder itself is the first page's, without a slash at its end.
    ([name, title]) => `<a href="${name === "" ? `${folder}../docs` : `${folder}${name}`}">${title}</a>`,
  );
  return links.join(" ");
}
