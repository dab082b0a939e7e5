import { escapeHtml, page } from "../../platform/http/html.js";
import { orderedTags, tagOf } from "../../platform/http/openapi-tags.js";
import { operationId } from "../../platform/http/operation-id.js";
import type { Route } from "../../platform/http/route.js";

/** The REST API: a list of all operations that can be searched, beside Swagger UI, which shows the one that is picked. */
export function restPage(routes: readonly Route[]): string {
  return page({
    title: "Parley REST API",
    styles: ["swagger-ui.css", "rest.css"],
    scripts: ["swagger-ui-bundle.js", "start.js", "filter.js"],
    body: `<div class="columns">
<nav class="operations find" aria-label="Operations">
<h1>REST API</h1>
<p>For machines: <a href="openapi.yaml">OpenAPI 3.0</a></p>
<label>Find an operation <input id="filter" type="search" autocomplete="off"></label>
<div class="groups">
${operationList(routes, "")}
</div>
</nav>
<div id="description" role="main"></div>
</div>`,
  });
}

/**
 * All operations in groups, each with a link into Swagger UI.
 *
 * @param restAddress address of the page of the REST API, relative to the page that the list is for
 */
export function operationList(routes: readonly Route[], restAddress: string): string {
  const sections = orderedTags(routes.map(({ declaration }) => declaration)).map(({ name }) => {
    const entries = routes
      .filter(({ declaration }) => tagOf(declaration) === name)
      .map(({ declaration: { method, path, summary } }) => {
        const address = `${restAddress}#/${encodeURIComponent(name)}/${operationId(method, path)}`;
        const shown = `${method.toUpperCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;
        return `<li><a href="${address}">${escapeHtml(summary)}</a> <code>${shown}</code></li>`;
      });
    return `<section><h3>${name}</h3><ul>${entries.join("\n")}</ul></section>`;
  });
  return sections.join("\n");
}
