import { createRequire } from "node:module";
import { dirname } from "node:path";
import express, { Router } from "express";
import { staticPagePolicy, swaggerPolicy } from "./page-policies.js";

// Found by its manifest: importing the package would load the whole page's script into this process.
const assetsFolder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const head = (title: string, stylesheet: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${stylesheet}">`;

const contentsPage = `${head("Parley for developers", "docs/assets/page.css")}
<link rel="prefetch" href="docs/assets/swagger-ui-bundle.js">
</head>
<body>
<main>
<h1>Parley for developers</h1>
<ul class="cards">
<li><a href="docs/rest">REST API</a> every endpoint, to be tried in the browser; as <a href="docs/openapi.yaml">OpenAPI 3.0</a></li>
<li><a href="docs/gateway">Gateway</a> the WebSocket for events in real time; as <a href="docs/asyncapi.yaml">AsyncAPI 3.0</a></li>
</ul>
</main>
</body>
</html>
`;

const restPage = `${head("Parley REST API", "assets/swagger-ui.css")}
</head>
<body>
<div id="description"></div>
<script src="assets/swagger-ui-bundle.js"></script>
<script src="assets/start.js"></script>
</body>
</html>
`;
const start = `SwaggerUIBundle({ url: "openapi.yaml", dom_id: "#description", deepLinking: true });\n`;

const stylesheet = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h2 { border-bottom: 1px solid; margin-top: 3rem; }
h3 { margin-top: 2.5rem; }
code, pre { font: 0.9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: light-dark(#f4f4f4, #222); padding: 0.75rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid light-dark(#ddd, #444); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
nav a { display: inline-block; margin-right: 1rem; }
.cards { list-style: none; padding: 0; }
.cards li { margin: 1rem 0; }
.cards li a:first-child { font-size: 1.25rem; display: block; }
`;

/** The pages for people. Addresses are relative, so the pages work below `/api` too. */
export function documentationPages(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const page = (path: string, policy: string, body: string) =>
    router.get(path, (_request, response) => {
      response.setHeader("Content-Security-Policy", policy);
      response.type("html").send(body);
    });
  page("/docs", staticPagePolicy, contentsPage);
  page("/docs/rest", swaggerPolicy, restPage);
  router.get("/docs/assets/start.js", (_request, response) => {
    response.type("js").send(start);
  });
  router.get("/docs/assets/page.css", (_request, response) => {
    response.type("css").send(stylesheet);
  });
  router.use("/docs/assets", express.static(assetsFolder, { index: false, maxAge: "1d" }));
  return router;
}
