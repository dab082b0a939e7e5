import { createRequire } from "node:module";
import { dirname } from "node:path";
import express, { type Response, Router } from "express";
import { z } from "zod";
import { type DescribedRoutes, describeApiAsYaml } from "./openapi.js";
import { type Route, route } from "./route.js";

// Found by its manifest: importing the package would load the whole page's script into this process.
const assetsFolder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const yamlType = "application/yaml; charset=utf-8";

/**
 * The API description: `/docs/openapi.yaml` for machines (docs/interface.md#15).
 *
 * @param describe all routes, this one included
 */
export function descriptionRoute(describe: () => DescribedRoutes, version: string): Route {
  let text: string | undefined;
  return route(
    {
      method: "get",
      path: "/docs/openapi.yaml",
      tag: "docs",
      summary: "This description",
      caller: "anyone",
      success: {
        status: 200,
        description: "OpenAPI 3.0 document",
        schema: z.string(),
        contentType: "application/yaml",
      },
    },
    async ({ response }) => {
      text ??= describeApiAsYaml(describe(), version);
      response.setHeader("Content-Type", yamlType);
      response.end(text);
      return text;
    },
  );
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="stylesheet" href="docs/assets/swagger-ui.css">
</head>
<body>
<div id="description"></div>
<script src="docs/assets/swagger-ui-bundle.js"></script>
<script src="docs/assets/start.js"></script>
</body>
</html>
`;
const start = `SwaggerUIBundle({ url: "docs/openapi.yaml", dom_id: "#description", deepLinking: true });\n`;

/** `/docs`: the same description for people. Addresses are relative, so the page works below `/api` too. */
export function descriptionPage(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/docs", (_request, response) => {
    allowOwnScripts(response);
    response.type("html").send(page);
  });
  router.get("/docs/assets/start.js", (_request, response) => {
    response.type("js").send(start);
  });
  router.use("/docs/assets", express.static(assetsFolder, { index: false, maxAge: "1d" }));
  return router;
}

function allowOwnScripts(response: Response): void {
  response.setHeader(
    "Content-Security-Policy",
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  );
}
