import { z } from "zod";
import { type Route, route } from "../../platform/http/route.js";
import { generatedFile } from "./generated-file.js";
import { htmlType, yamlType } from "./media-types.js";
import { staticPagePolicy } from "./page-policies.js";

const caller = "anyone";

/** The gateway's description: `/docs/asyncapi.yaml` for machines, `/docs/gateway` for people (docs/protocol/operators.md#22). */
export function gatewayDescriptionRoutes(): Route[] {
  const yaml = generatedFile("asyncapi.yaml");
  const page = generatedFile("gateway.html");
  return [
    route(
      {
        method: "get",
        path: "/docs/asyncapi.yaml",
        name: "docs.asyncApi",
        summary: "Description of the gateway",
        caller,
        success: {
          status: 200,
          description: "AsyncAPI 3.0 document",
          schema: z.string(),
          contentType: "application/yaml",
        },
      },
      async ({ response }) => {
        response.setHeader("Content-Type", yamlType);
        response.end(yaml());
        return yaml();
      },
    ),
    route(
      {
        method: "get",
        path: "/docs/gateway",
        name: "docs.gatewayPage",
        summary: "Description of the gateway as a page",
        caller,
        success: { status: 200, description: "The page", schema: z.string(), contentType: "text/html" },
      },
      async ({ response }) => {
        response.setHeader("Content-Type", htmlType);
        response.setHeader("Content-Security-Policy", staticPagePolicy);
        response.end(page());
        return page();
      },
    ),
  ];
}
