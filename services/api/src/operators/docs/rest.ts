import { z } from "zod";
import { type Route, route } from "../../platform/http/route.js";
import { generatedFile } from "./generated-file.js";
import { yamlType } from "./media-types.js";

/** The API description: `/docs/openapi.yaml` for machines (docs/protocol/operators.md#15). */
export function descriptionRoute(): Route {
  const text = generatedFile("openapi.yaml");
  return route(
    {
      method: "get",
      path: "/docs/openapi.yaml",
      name: "docs.openApi",
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
      response.setHeader("Content-Type", yamlType);
      response.end(text());
      return text();
    },
  );
}
