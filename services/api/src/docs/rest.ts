import { z } from "zod";
import { type DescribedRoutes, describeApiAsYaml } from "../http/openapi.js";
import { type Route, route } from "../http/route.js";
import { yamlType } from "./media-types.js";

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
      text ??= describeApiAsYaml(describe(), version);
      response.setHeader("Content-Type", yamlType);
      response.end(text);
      return text;
    },
  );
}
