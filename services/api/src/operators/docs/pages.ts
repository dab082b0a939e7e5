import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describeGateway } from "@parley/contracts/gateway-description";
import express, { Router } from "express";
import type { DescribedRoutes } from "../../platform/http/openapi.js";
import type { RateLimitSizes } from "../../platform/http/rate-limits.js";
import { filterPagePolicy, staticPagePolicy, swaggerPolicy } from "./page-policies.js";
import { restPage } from "./rest-page.js";
import { startPage } from "./start-page.js";
import { readWrittenPages, type WrittenPages, writtenPage } from "./written-pages.js";

// Found by its manifest: importing the package would load the whole page's script into this process.
const swaggerFolder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const pageFiles = fileURLToPath(new URL("../../../page-files", import.meta.url));
const clientPackage = fileURLToPath(new URL("../../../generated/parley-client.tgz", import.meta.url));

/** The sources of the pages. */
export interface DocumentationPagesOptions {
  describe: () => DescribedRoutes;
  limits: RateLimitSizes;
}

/** The pages for people, and the client's package. Addresses are relative, so the pages work below `/api` too. */
export function documentationPages({ describe, limits }: DocumentationPagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let written: WrittenPages | undefined;
  let archive: Buffer | undefined;
  const readOnce = () => {
    written ??= readWrittenPages();
    return written;
  };
  const routes = () => Object.values(describe()).flat();
  const page = (path: string, policy: string, render: () => string) => {
    let body: string | undefined;
    router.get(path, (_request, response) => {
      body ??= render();
      response.setHeader("Content-Security-Policy", policy);
      response.type("html").send(body);
    });
    // Relative addresses would lead elsewhere from there.
    router.get(`${path}/`, (_request, response) => response.redirect(`../${basename(path)}`));
  };
  page("/docs", filterPagePolicy, () =>
    startPage({ routes: routes(), gateway: describeGateway(), written: readOnce(), limits }),
  );
  page("/docs/rest", swaggerPolicy, () => restPage(routes()));
  page("/docs/bots", staticPagePolicy, () => writtenPage(readOnce().bots));
  page("/docs/client", staticPagePolicy, () => writtenPage(readOnce().client));
  page("/docs/interface", staticPagePolicy, () => writtenPage(readOnce().interface));
  page("/docs/protocol", staticPagePolicy, () => writtenPage(readOnce().protocol));
  for (const folder of ["/docs/protocol", "/docs/reference"]) {
    const bodies = new Map<string, string>();
    router.get(`${folder}/:topic`, ({ params: { topic } }, response, next) => {
      const address = `${basename(folder)}/${topic}`;
      const found = readOnce()[address];
      if (found === undefined) return next();
      const body = bodies.get(address) ?? writtenPage(found, "../");
      bodies.set(address, body);
      response.setHeader("Content-Security-Policy", staticPagePolicy);
      response.type("html").send(body);
    });
  }
  router.get("/docs/parley-client.tgz", (_request, response) => {
    archive ??= readFileSync(clientPackage);
    // Its address does not name the version, so browsers ask for it each time, and get 304 while it is the same.
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader("ETag", `"${createHash("sha256").update(archive).digest("hex")}"`);
    response.type("application/gzip").send(archive);
  });
  router.use("/docs/assets", express.static(pageFiles, { index: false }));
  router.use("/docs/assets", express.static(swaggerFolder, { index: false, maxAge: "1d" }));
  return router;
}
