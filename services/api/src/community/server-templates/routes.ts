import { ServerTemplate } from "@parley/contracts";
import { z } from "zod";
import { ok, type Route, route } from "../../platform/http/route.js";
import { builtInTemplates } from "./built-in.js";

export function serverTemplateRoutes(): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/server-templates",
        name: "servers.templates",
        summary: "List the templates for new servers",
        caller: "account",
        success: ok(z.array(ServerTemplate)),
      },
      async () => [...builtInTemplates],
    ),
  ];
}
