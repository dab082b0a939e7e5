import { errorTexts, insightSpans, insightsCsv, ServerInsights } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { managing } from "../../community/server-storage/routes.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { readInsights } from "./service.js";

const query = z.object({
  days: z
    .enum(insightSpans.map(String), errorTexts.insight_days_invalid)
    .default("7")
    .transform(Number)
    .meta({ type: "integer", enum: [...insightSpans], default: 7 }),
  format: z
    .enum(["json", "csv"], errorTexts.insight_format_invalid)
    .default("json")
    .meta({ description: "CSV has the days" }),
});

export function insightRoutes(database: Database): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/insights",
        name: "servers.insights",
        summary: "Read the figures of a server",
        description:
          "By days of the server's time zone. A job counts them, so they are up to an hour old; no figure names a member.",
        caller: "account",
        params: z.object({ id: identifier }),
        query,
        may: inServer(managing),
        success: ok(ServerInsights),
        otherAnswers: [{ status: 200, description: "Success", schema: z.string(), contentType: "text/csv" }],
        errors: { invalid_input: [errorTexts.insight_days_invalid, errorTexts.insight_format_invalid] },
      },
      async ({ may, query: { days, format }, response }) => {
        const figures = await readInsights(database, await may.access(), days);
        if (format === "csv") {
          response.attachment(`figures-${figures.days.at(-1)?.date}-${days}.csv`);
          response.type("text/csv").send(insightsCsv(figures.days));
        }
        return figures;
      },
    ),
  ];
}
